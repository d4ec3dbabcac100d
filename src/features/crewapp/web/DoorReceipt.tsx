import { useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { Alert } from '../../../ui/field/Alert.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import {
  type DoorFacts,
  type DoorReceipt,
  type ReceiptWay,
  receiptWays,
  referenceOf,
} from '../../payments/door/rules.ts'
import type { CrewStop } from '../contract.ts'
import { openAtDoor } from '../figures/rules.ts'
import type { Crew } from './data.ts'
import { type DoorTexts, doorTexts } from './doorTexts.ts'

/** A receipt as this phone knows it: `waiting` has not left it, `attention` was not booked. */
export type Slip = DoorReceipt & { state: 'booked' | 'waiting' | 'attention' }

/** What this phone took at a customer's stops: what still waits here first, then what the server has. */
export const slipsOf = ({ state }: Crew, door: DoorFacts): Slip[] => [
  ...state.commands
    .filter(({ command }) => command.type === 'collect' && door.visitIds.some((id) => id === command.visitId))
    // what the office let count stands among its receipts
    .filter(({ answer }) => answer?.decision !== 'counts')
    .map(({ command, state: fate }): Slip => {
      const { amountCents = 0, tipCents = 0, method = 'cash', checkNumber = '' } = command.payload
      return {
        id: command.id,
        number: null,
        method,
        amountCents,
        tipCents,
        checkNumber,
        at: command.at,
        voided: false,
        state: fate === 'answered' ? 'attention' : fate,
      }
    })
    .reverse(),
  ...door.receipts.map((receipt): Slip => ({ ...receipt, state: 'booked' })),
]

const momentIn = (at: string, language: 'en' | 'es', timeZone: string): string =>
  new Intl.DateTimeFormat(language === 'es' ? 'es-US' : 'en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  }).format(new Date(at))

type Props = { crew: Crew; stop: CrewStop; door: DoorFacts; slip: Slip; words: DoorTexts; onDone: () => void }

/** The receipt to show to whoever paid, in their language, and the ways to send it again. */
export const DoorReceiptView = ({ crew, stop, door, slip, words, onDone }: Props) => {
  const user = useUser()
  const [language, setLanguage] = useState(door.language)
  const theirs = doorTexts[language]
  const t = theirs.receipt
  const sendAgain = async (by: ReceiptWay) => {
    try {
      await crew.act('receipt', stop, { receiptId: slip.id, receiptBy: by })
      toast.success(words.sentAgain)
    } catch {
      toast.error(crew.t.notSaved)
    }
  }
  const { openCents } = openAtDoor(door.owedCents, slipsOf(crew, door))
  const rows = [
    [t.by, user.business.name],
    [t.from, stop.customer],
    [t.for, stop.street],
    ...(slip.tipCents > 0 ? [[t.tip, formatCents(slip.tipCents)]] : []),
    [t.way, slip.method === 'check' ? t.check(slip.checkNumber) : t.cash],
    [t.when, momentIn(slip.at, language, crew.timeZone)],
    ...(openCents > 0 && !slip.voided ? [[t.open, formatCents(openCents)]] : []),
    slip.number ? [t.number, slip.number] : [t.reference, referenceOf(slip.id)],
  ]
  return (
    <>
      {slip.voided ? <Alert tone="danger">{t.voided}</Alert> : null}
      {slip.state === 'attention' ? <Alert tone="danger">{t.notBooked}</Alert> : null}
      <section className="c-slip" lang={language} aria-label={t.title}>
        <h3>{t.title}</h3>
        <p className="c-slip__sum">{formatCents(slip.amountCents)}</p>
        <dl>
          {rows.map(([label, value]) => (
            <div key={label} style={{ display: 'contents' }}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {slip.state === 'waiting' ? <p className="muted">{t.pending}</p> : null}
        {slip.voided ? null : <p>{t.thanks}</p>}
      </section>
      <FieldButton onClick={() => setLanguage(language === 'en' ? 'es' : 'en')}>{theirs.inOther}</FieldButton>
      {slip.state === 'booked' && !slip.voided
        ? receiptWays.map((by) => {
            const to = by === 'email' ? door.email : door.phone
            return to ? (
              <FieldButton key={by} onClick={() => void sendAgain(by)}>
                {words.sendAgain(by, to)}
              </FieldButton>
            ) : null
          })
        : null}
      <div className="f-sheet__stay">
        <FieldButton kind="main" onClick={onDone}>
          {words.done}
        </FieldButton>
      </div>
    </>
  )
}
