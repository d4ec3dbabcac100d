import { useRef, useState } from 'react'
import { formatCents, parseDollars } from '../../../shared/money.ts'
import { Alert } from '../../../ui/field/Alert.tsx'
import { ChoiceList } from '../../../ui/field/ChoiceList.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldInput } from '../../../ui/field/FieldInput.tsx'
import { PhotoButton } from '../../../ui/field/PhotoButton.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import { toast } from '../../../ui/toast.tsx'
import {
  type DoorFacts,
  type DoorMethod,
  doorMethods,
  mostAtDoorCents,
  type ReceiptWay,
} from '../../payments/door/rules.ts'
import type { CrewStop } from '../contract.ts'
import { dollarsValue, openAtDoor, restAtDoor } from '../figures/rules.ts'
import { doorOf } from '../projection/rules.ts'
import type { CommandPayload } from '../rules.ts'
import { DoorReceiptView, type Slip, slipsOf } from './DoorReceipt.tsx'
import type { Crew } from './data.ts'
import { type DoorTexts, doorTexts } from './doorTexts.ts'
import { shortDay } from './labels.ts'
import { hasRoom, persistStorage, photosOf } from './photo.ts'
import type { Texts } from './texts.ts'
import './door.css'

type Props = { crew: Crew; stop: CrewStop; door: DoorFacts; words: DoorTexts }

/** The same sum at the same place within minutes is most likely one payment pressed twice. */
const minutesUntilAgain = 10

/** What an amount leaves open, or is too much; nothing of one that settles what is open. */
const restWords = (words: DoorTexts, rest: ReturnType<typeof restAtDoor>, canTip: boolean): string | undefined =>
  rest.overCents > 0
    ? (canTip ? words.asTip : words.rest)(formatCents(rest.overCents))
    : rest.leftCents > 0
      ? words.left(formatCents(rest.leftCents))
      : undefined

type OwedProps = { door: DoorFacts; slips: readonly Slip[]; words: DoorTexts; t: Texts }

const Owed = ({ door, slips, words, t }: OwedProps) => {
  const { waitsCents, openCents } = openAtDoor(door.owedCents, slips)
  return (
    <section className="c-owed">
      {openCents > 0 ? <p className="c-owed__sum">{words.owes(formatCents(openCents))}</p> : <p>{words.owesNothing}</p>}
      {door.open.length > 0 ? (
        <ul>
          {door.open.map(({ name, dueOn, cents }) => (
            <li key={name}>
              <span>
                {name} <span className="muted">{dueOn ? words.due(shortDay(dueOn, t)) : ''}</span>
              </span>
              <b className="num">{formatCents(cents)}</b>
            </li>
          ))}
          {door.openCount > door.open.length ? (
            <li className="muted">{words.more(door.openCount - door.open.length)}</li>
          ) : null}
        </ul>
      ) : null}
      {door.withoutCard && waitsCents === 0 ? (
        <p>{words.withoutCard(formatCents(door.withoutCard.cents), door.withoutCard.percent)}</p>
      ) : null}
      {waitsCents > 0 ? <p className="muted">{words.waits(formatCents(waitsCents))}</p> : null}
      {door.creditCents > 0 ? <p className="muted">{words.credit(formatCents(door.creditCents))}</p> : null}
    </section>
  )
}

const Form = ({
  crew,
  stop,
  door,
  words,
  slips,
  onTaken,
  onShow,
}: Props & { slips: readonly Slip[]; onTaken: (id: string) => void; onShow: (id: string) => void }) => {
  const { openCents, waitsCents } = openAtDoor(door.owedCents, slips)
  const askedCents = waitsCents === 0 && door.withoutCard ? door.withoutCard.cents : openCents
  const [amount, setAmount] = useState(dollarsValue(askedCents))
  const [tip, setTip] = useState('')
  const [method, setMethod] = useState<DoorMethod>('cash')
  const [checkNumber, setCheckNumber] = useState('')
  const [photo, setPhoto] = useState<File | null>(null)
  const [way, setWay] = useState<ReceiptWay | 'none'>('none')
  const [asked, setAsked] = useState(false)
  const [again, setAgain] = useState(false)
  const busy = useRef(false)
  const form = useRef<HTMLFormElement>(null)
  const cents = parseDollars(amount)
  const amountProblem =
    cents === null || cents <= 0
      ? words.amountWrong
      : cents > mostAtDoorCents
        ? words.amountMost(formatCents(mostAtDoorCents))
        : undefined
  const tipCents = tip.trim() === '' ? 0 : parseDollars(tip)
  const tipProblem =
    tipCents === null || tipCents < 0
      ? words.tipWrong
      : cents !== null && tipCents > cents
        ? words.tipMost(formatCents(cents))
        : undefined
  const checkProblem = method === 'check' && !checkNumber.trim() ? words.checkNumberWrong : undefined
  const effect =
    amountProblem || tipProblem || cents === null || openCents === 0
      ? undefined
      : restWords(
          words,
          restAtDoor({ cents, tipCents: tipCents ?? 0, openCents, askedCents }),
          door.takesTips && !tipCents,
        )
  const take = async () => {
    if (busy.current) return
    setAsked(true)
    if (amountProblem || tipProblem || checkProblem || cents === null) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
      return
    }
    const justTaken = slips.some(
      ({ amountCents, at }) => amountCents === cents && crew.now - Date.parse(at) < minutesUntilAgain * 60_000,
    )
    if (justTaken && !again) return setAgain(true)
    busy.current = true
    try {
      const id = await keep({
        amountCents: cents,
        ...(tipCents ? { tipCents } : {}),
        method,
        ...(method === 'check' ? { checkNumber: checkNumber.trim() } : {}),
        ...(way === 'none' ? {} : { receiptBy: way }),
      })
      navigator.vibrate?.(40)
      onTaken(id)
    } catch {
      // the phone could not write: nobody may walk on with the money and no receipt
      toast.error(crew.t.notSaved)
    } finally {
      busy.current = false
    }
  }
  /** Writes the money down with the photo of its check; where there is no room for the photo, without it, and says so. */
  const keep = async (payload: CommandPayload): Promise<string> => {
    const command = { type: 'collect', visitId: stop.id, payload, label: stop.street } as const
    persistStorage()
    if (!photo || method !== 'check') return (await crew.outbox.enqueue(command)).id
    try {
      if (!(await hasRoom())) throw new Error('no room')
      const photos = (await photosOf([photo])).map((one) => ({ ...one, kind: 'check' as const }))
      return (await crew.outbox.enqueue(command, photos)).id
    } catch {
      const { id } = await crew.outbox.enqueue(command)
      toast.error(crew.t.noRoom)
      return id
    }
  }
  const ways = [
    { value: 'none' as const, label: words.sendBy.none },
    ...(door.email ? [{ value: 'email' as const, label: words.sendBy.email(door.email), hint: words.mailHint }] : []),
    ...(door.phone ? [{ value: 'sms' as const, label: words.sendBy.sms(door.phone), hint: words.smsHint }] : []),
  ]
  return (
    <form
      ref={form}
      className="c-stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void take()
      }}
    >
      <Owed door={door} slips={slips} words={words} t={crew.t} />
      <FieldInput
        label={words.amount}
        inputMode="decimal"
        value={amount}
        hint={effect}
        error={asked ? amountProblem : undefined}
        onChange={(value) => {
          setAmount(value)
          setAgain(false)
        }}
      />
      {door.takesTips ? (
        <FieldInput
          label={words.tip}
          inputMode="decimal"
          value={tip}
          hint={words.tipHint}
          error={asked ? tipProblem : undefined}
          onChange={setTip}
        />
      ) : null}
      <ChoiceList
        label={words.how}
        value={method}
        choices={doorMethods.map((value) => ({ value, label: words.by[value] }))}
        onChange={setMethod}
      />
      {method === 'check' ? (
        <>
          <FieldInput
            label={words.checkNumber}
            inputMode="numeric"
            maxLength={40}
            value={checkNumber}
            error={asked ? checkProblem : undefined}
            onChange={setCheckNumber}
          />
          <PhotoButton onPhotos={(files) => setPhoto(files[0] ?? null)}>
            {photo ? words.photoTaken : words.photo}
          </PhotoButton>
        </>
      ) : null}
      {ways.length > 1 ? (
        <ChoiceList label={words.send} value={way} choices={ways} onChange={setWay} />
      ) : (
        <p className="muted">{words.noAddress}</p>
      )}
      {slips.length > 0 ? (
        <section className="c-slips">
          <h3>{words.receipts}</h3>
          {slips.map((slip) => (
            <FieldButton key={slip.id} onClick={() => onShow(slip.id)}>
              {[
                slip.number ?? words.onPhone,
                formatCents(slip.amountCents),
                words.by[slip.method],
                slip.voided ? words.voided : slip.state === 'attention' ? words.notBooked : '',
              ]
                .filter(Boolean)
                .join(' · ')}
            </FieldButton>
          ))}
        </section>
      ) : null}
      <div className="f-sheet__stay">
        {again && cents !== null ? (
          <div role="alert">
            <Alert tone="wait">{words.again(formatCents(cents))}</Alert>
          </div>
        ) : null}
        <FieldButton kind="main" type="submit">
          {cents !== null && !amountProblem ? words.take(formatCents(cents), method) : words.takeNone}
        </FieldButton>
      </div>
    </form>
  )
}

const Collect = ({ onClose, ...props }: Props & { onClose: () => void }) => {
  const [shownId, setShownId] = useState<string | null>(null)
  const slips = slipsOf(props.crew, props.door)
  const shown = slips.find(({ id }) => id === shownId)
  if (shown) return <DoorReceiptView {...props} slip={shown} onDone={onClose} />
  return <Form {...props} slips={slips} onTaken={setShownId} onShow={setShownId} />
}

/** What a customer owes, the money they hand over, and their receipt. Works the same with and without a signal. */
export const CollectSheet = ({ crew, stop, onClose }: { crew: Crew; stop: CrewStop | null; onClose: () => void }) => {
  const door = stop ? doorOf(crew.bundle, stop.id) : undefined
  const words = doorTexts[crew.language]
  return (
    <Sheet
      open={door !== undefined}
      onClose={onClose}
      title={stop ? words.title(stop.customer) : ''}
      closeLabel={crew.t.close}
    >
      {stop && door ? (
        <Collect key={stop.id} crew={crew} stop={stop} door={door} words={words} onClose={onClose} />
      ) : null}
    </Sheet>
  )
}
