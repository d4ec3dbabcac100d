import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call, serverMessage } from '../../../shared/client.ts'
import { formatDay } from '../../../shared/dates.ts'
import { parseDollars } from '../../../shared/money.ts'
import { Alert } from '../../../ui/field/Alert.tsx'
import { ChoiceList } from '../../../ui/field/ChoiceList.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../ui/field/FieldCard.tsx'
import { FieldInput } from '../../../ui/field/FieldInput.tsx'
import { PhotoButton } from '../../../ui/field/PhotoButton.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import { shrinkPhoto } from '../../../ui/shrinkPhoto.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { expensesApi, type OwnReceipt } from '../../expenses/contract.ts'
import { receiptTexts } from './receiptTexts.ts'
import type { Language, Texts } from './texts.ts'

const kinds = ['fuel', 'disposal', 'materials', 'repairs', 'other'] as const
type Kind = (typeof kinds)[number]
type Words = (typeof receiptTexts)['en']
type Photo = { id: string; file: File }

const key = ['expenses', 'own']

const Form = ({ words, onDone }: { words: Words; onDone: (said: string, warns: boolean) => void }) => {
  const [kind, setKind] = useState<Kind>('fuel')
  const [amount, setAmount] = useState('')
  const [vendor, setVendor] = useState('')
  const [note, setNote] = useState('')
  const [whose, setWhose] = useState<'company' | 'mine'>('company')
  const [photos, setPhotos] = useState<Photo[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [wrong, setWrong] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const handIn = useIdempotentMutation({
    mutationFn: (
      body: { kind: Kind; totalCents: number; vendor: string; note: string; ownMoney: boolean },
      idempotencyKey,
    ) => call(expensesApi.handIn, { body }, { idempotencyKey }),
  })
  const send = async () => {
    const totalCents = parseDollars(amount)
    if (!totalCents || totalCents < 0) return setWrong(words.amountWrong)
    setBusy(true)
    setProblem(null)
    let made: OwnReceipt
    try {
      made = await handIn.mutateAsync({ kind, totalCents, vendor, note, ownMoney: whose === 'mine' })
    } catch (error) {
      setProblem((error instanceof ApiError && error.errors[0]?.message) || serverMessage(error, words.failed))
      setBusy(false)
      return
    }
    let warns = false
    for (const { id, file } of photos)
      try {
        const body = await shrinkPhoto(file)
        await call(expensesApi.handInPhoto, { params: { id: made.id }, query: { id }, body })
      } catch {
        warns = true
      }
    onDone(warns ? words.photoFailed : words.sent(made.sum), warns)
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
      <PhotoButton
        multiple
        onPhotos={(files) => setPhotos((old) => [...old, ...files.map((file) => ({ id: crypto.randomUUID(), file }))])}
      >
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

/** What a crew member paid: handed in with its photo, and what became of it. Needs a signal; the day does not. */
export const Receipts = ({ t, language, looks }: { t: Texts; language: Language; looks: boolean }) => {
  const words = receiptTexts[language]
  const client = useQueryClient()
  const own = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(expensesApi.ownReceipts, {}, { signal, retries: 0 }),
  })
  const [open, setOpen] = useState(false)
  const [said, setSaid] = useState<{ text: string; warns: boolean } | null>(null)
  const items = own.data?.items
  return (
    <FieldCard>
      <div className="c-stack">
        <h2>{words.title}</h2>
        <p className="muted">{words.lead}</p>
        {said ? <Alert tone={said.warns ? 'wait' : 'done'}>{said.text}</Alert> : null}
        {items?.length ? (
          <ul className="c-receipts">
            {items.slice(0, 8).map((one) => (
              <li key={one.id}>
                <span>
                  <b className="num">{one.sum}</b> {[words.kinds[one.kind], one.vendor].filter(Boolean).join(', ')}
                </span>
                <span className="muted">
                  {formatDay(one.day)} · {words.states[one.state]}
                </span>
              </li>
            ))}
          </ul>
        ) : items ? (
          <p className="muted">{words.none}</p>
        ) : null}
        {looks ? null : <FieldButton onClick={() => setOpen(true)}>{words.add}</FieldButton>}
      </div>
      <Sheet open={open} onClose={() => setOpen(false)} title={words.add} closeLabel={t.close}>
        {open ? (
          <Form
            words={words}
            onDone={(text, warns) => {
              setOpen(false)
              setSaid({ text, warns })
              void client.invalidateQueries({ queryKey: key })
            }}
          />
        ) : null}
      </Sheet>
    </FieldCard>
  )
}
