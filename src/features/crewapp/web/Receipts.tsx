import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../../shared/client.ts'
import { dayOf } from '../../../shared/dates.ts'
import { formatCents, parseDollars } from '../../../shared/money.ts'
import { Alert } from '../../../ui/field/Alert.tsx'
import { ChoiceList } from '../../../ui/field/ChoiceList.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../ui/field/FieldCard.tsx'
import { FieldInput } from '../../../ui/field/FieldInput.tsx'
import { PhotoButton } from '../../../ui/field/PhotoButton.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import { expensesApi } from '../../expenses/contract.ts'
import { mostOnTheWayCents, type PaidOnTheWay } from '../../expenses/rules.ts'
import type { Crew } from './data.ts'
import { shortDay } from './labels.ts'
import { hasRoom, photosOf } from './photo.ts'
import { receiptTexts } from './receiptTexts.ts'

const kinds = ['fuel', 'disposal', 'materials', 'repairs', 'other'] as const
type Kind = (typeof kinds)[number]
type Words = (typeof receiptTexts)['en']

const key = ['expenses', 'own']

type Said = { text: string; warns: boolean }

/**
 * Writes a receipt and its photos down on this phone, together, from where they go to the office like everything else. Where there is no room for the
 * photos the receipt goes without them, and says so.
 * @throws when the phone cannot keep the receipt
 */
const handIn = async (crew: Crew, paid: PaidOnTheWay, files: readonly File[], words: Words): Promise<Said> => {
  const label = [words.kinds[paid.kind], formatCents(paid.totalCents)].join(' · ')
  const command = { type: 'hand_in', payload: { paid }, label } as const
  try {
    if (files.length > 0 && !(await hasRoom())) throw new Error('no room')
    const photos = (await photosOf(files)).map((photo) => ({ ...photo, kind: 'paid' as const }))
    await crew.outbox.enqueue(command, photos)
  } catch (error) {
    if (files.length === 0) throw error
    await crew.outbox.enqueue(command)
    return { text: words.noPhoto(formatCents(paid.totalCents)), warns: true }
  }
  return { text: words.sent(formatCents(paid.totalCents)), warns: false }
}

const Form = ({ crew, words, onDone }: { crew: Crew; words: Words; onDone: (said: Said) => void }) => {
  const [kind, setKind] = useState<Kind>('fuel')
  const [amount, setAmount] = useState('')
  const [vendor, setVendor] = useState('')
  const [note, setNote] = useState('')
  const [whose, setWhose] = useState<'company' | 'mine'>('company')
  const [photos, setPhotos] = useState<File[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [wrong, setWrong] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    const totalCents = parseDollars(amount)
    if (!totalCents || totalCents < 0) return setWrong(words.amountWrong)
    if (totalCents > mostOnTheWayCents) return setWrong(words.amountMost(formatCents(mostOnTheWayCents)))
    setBusy(true)
    setProblem(null)
    try {
      const paid = { kind, totalCents, vendor: vendor.trim(), note: note.trim(), ownMoney: whose === 'mine' }
      onDone(await handIn(crew, paid, photos, words))
    } catch {
      setProblem(crew.t.notSaved)
      setBusy(false)
    }
  }
  return (
    <form
      className="c-stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void send()
      }}
    >
      <PhotoButton multiple onPhotos={(files) => setPhotos((old) => [...old, ...files])}>
        {photos.length === 0 ? words.photo : words.another(photos.length)}
      </PhotoButton>
      <FieldInput
        label={words.amount}
        inputMode="decimal"
        value={amount}
        error={wrong}
        onChange={(value) => {
          setAmount(value)
          setWrong(undefined)
        }}
      />
      <ChoiceList
        label={words.kind}
        value={kind}
        choices={kinds.map((value) => ({ value, label: words.kinds[value] }))}
        onChange={setKind}
      />
      <FieldInput label={words.vendor} value={vendor} onChange={setVendor} maxLength={120} />
      <ChoiceList
        label={words.whose}
        value={whose}
        choices={[
          { value: 'company', label: words.company },
          { value: 'mine', label: words.mine },
        ]}
        onChange={setWhose}
      />
      <FieldInput label={words.note} value={note} onChange={setNote} maxLength={1000} lines={2} />
      {problem ? (
        <div role="alert" ref={(node) => node?.scrollIntoView({ block: 'nearest' })}>
          <Alert tone="danger">{problem}</Alert>
        </div>
      ) : null}
      <FieldButton kind="main" type="submit" busy={busy}>
        {words.send}
      </FieldButton>
    </form>
  )
}

/** What a crew member paid: handed in with its photo, with and without a signal, and what became of it. */
export const Receipts = ({ crew, looks }: { crew: Crew; looks: boolean }) => {
  const { t, language, state, timeZone } = crew
  const words = receiptTexts[language]
  const client = useQueryClient()
  const own = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(expensesApi.ownReceipts, {}, { signal, retries: 0 }),
  })
  const [open, setOpen] = useState(false)
  const [said, setSaid] = useState<Said | null>(null)
  const waiting = state.commands.flatMap((item) => {
    const { id, at, payload } = item.command
    return payload.paid ? [{ id, day: dayOf(at, timeZone), paid: payload.paid, taken: item.state === 'waiting' }] : []
  })
  const known = own.data?.items.filter(({ id }) => !waiting.some((one) => one.id === id))
  // What has left the phone stands in the office's list from now on.
  const waitingCount = waiting.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when fewer wait
  useEffect(() => void client.invalidateQueries({ queryKey: key }), [waitingCount, client])
  return (
    <FieldCard>
      <div className="c-stack">
        <h2>{words.title}</h2>
        <p className="muted">{words.lead}</p>
        {said ? <Alert tone={said.warns ? 'wait' : 'done'}>{said.text}</Alert> : null}
        {waiting.length > 0 || known?.length ? (
          <ul className="c-receipts">
            {waiting.map(({ id, day, paid, taken }) => (
              <li key={id}>
                <span>
                  <b className="num">{formatCents(paid.totalCents)}</b>{' '}
                  {[words.kinds[paid.kind], paid.vendor].filter(Boolean).join(', ')}
                </span>
                <span className="muted">
                  {shortDay(day, t)} · {taken ? words.onPhone : words.notTaken}
                </span>
              </li>
            ))}
            {(known ?? []).slice(0, 8).map((one) => (
              <li key={one.id}>
                <span>
                  <b className="num">{one.sum}</b> {[words.kinds[one.kind], one.vendor].filter(Boolean).join(', ')}
                </span>
                <span className="muted">
                  {shortDay(one.day, t)} · {words.states[one.state]}
                </span>
              </li>
            ))}
          </ul>
        ) : known ? (
          <p className="muted">{words.none}</p>
        ) : null}
        {own.isError && !known ? <p className="muted">{words.noSignal}</p> : null}
        {looks ? null : <FieldButton onClick={() => setOpen(true)}>{words.add}</FieldButton>}
      </div>
      <Sheet open={open} onClose={() => setOpen(false)} title={words.add} closeLabel={t.close}>
        {open ? (
          <Form
            crew={crew}
            words={words}
            onDone={(told) => {
              setOpen(false)
              setSaid(told)
            }}
          />
        ) : null}
      </Sheet>
    </FieldCard>
  )
}
