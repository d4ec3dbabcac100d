import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { call } from '../../../../shared/client.ts'
import type { Choice } from '../../../../ui/ComboboxField.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { PhotoStrokes } from '../../../../ui/PhotoStrokes.tsx'
import { RadioField } from '../../../../ui/RadioField.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import type { ConflictKind } from '../../rules.ts'
import { type ConflictSignature, conflictsApi, type Decision } from '../contract.ts'
import './conflicts.css'

const PayerField = lazy(async () => ({ default: (await import('./PayerField.tsx')).PayerField }))

type Props = {
  commandId: string
  about: ConflictKind
  title: string
  detail: string
  photos?: readonly string[] | undefined
  signature?: ConflictSignature | undefined
  /** Whose money it probably is. */
  payer?: { id: string; name: string } | undefined
  open: boolean
  onClose: () => void
}

const hints: Record<ConflictKind, Record<Decision, string>> = {
  work: {
    counts: 'The visit becomes what the crew did, with their times.',
    stands: 'The visit stays as it is; time and photos stay on it.',
  },
  skip: {
    counts: 'The visit becomes what the crew said of the skip.',
    stands: 'The visit stays as it is.',
  },
  collect: {
    counts: 'The money is booked as taken by this person, who hands it in.',
    stands: 'Nothing is booked. Say below what becomes of the money.',
  },
  treat: {
    counts: 'The record goes on file as it was typed at the stop.',
    stands: 'Nothing goes on file. What was done to the visit stays.',
  },
  extra: {
    counts: 'It stands on the visit by your rule, or waits there for its price.',
    stands: 'The customer is charged nothing more. The photos stay on the visit.',
  },
  gone: {
    counts: 'You have put the work down elsewhere: there is no visit any more that could become it.',
    stands: 'Nothing is put down. What the phone sent is kept.',
  },
  goneMoney: {
    counts: 'The money is booked as taken by this person, who hands it in.',
    stands: 'Nothing is booked by this, say because you have booked it yourself. Tell the crew below.',
  },
  goneSale: {
    counts: 'You have put the work on the calendar or an invoice of the customer: nothing is billed by itself.',
    stands: 'The customer is charged nothing. What they signed is kept.',
  },
}

/** Asks what counts of one thing that a phone reported and the visit does not have; the answer goes to the crew's phone. */
export const ConflictQuestion = ({
  commandId,
  about,
  title,
  detail,
  photos = [],
  signature,
  payer,
  open,
  onClose,
}: Props) => {
  const client = useQueryClient()
  const [decision, setDecision] = useState<Decision>('counts')
  const [note, setNote] = useState('')
  const guess = payer ? { value: payer.id, label: payer.name } : null
  const [chosen, setChosen] = useState<Choice | null>(guess)
  const asksPayer = about === 'goneMoney' && decision === 'counts'
  const decide = useIdempotentMutation({
    mutationFn: (body: { decision: Decision; note: string; customerId?: string }, idempotencyKey) =>
      call(conflictsApi.decide, { params: { id: commandId }, body }, { idempotencyKey }),
  })
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={title}
      confirmLabel="Decide and tell the crew"
      onConfirm={async () => {
        const whose = asksPayer && chosen ? { customerId: chosen.value } : {}
        await decide.mutateAsync({ decision, note: note.trim(), ...whose })
        toast.success('Decided. The crew reads it on the phone.')
        await Promise.all(
          ['dashboard', 'visits', ...(asksPayer ? ['payments', 'customers', 'invoices'] : [])].map((topic) =>
            client.invalidateQueries({ queryKey: [topic] }),
          ),
        )
      }}
    >
      <p>{detail}</p>
      {signature ? (
        <div className="conflict-sign" role="img" aria-label={`Signature of ${signature.signer || 'the customer'}`}>
          <PhotoStrokes strokes={signature.strokes} size={{ width: 700, height: 360 }} fit="contain" ink />
        </div>
      ) : null}
      {photos.length > 0 ? (
        <ul className="conflict-photos">
          {photos.map((url, index) => (
            <li key={url}>
              <a href={url} target="_blank" rel="noreferrer">
                <img src={url} alt={`What the phone sent, ${index + 1}`} loading="lazy" decoding="async" />
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      <FieldGrid min={400}>
        <RadioField
          label="What counts?"
          value={decision}
          onChange={setDecision}
          options={[
            { value: 'counts', label: 'It counts', hint: hints[about].counts },
            { value: 'stands', label: 'It does not count', hint: hints[about].stands },
          ]}
        />
        {asksPayer ? (
          <Suspense fallback={null}>
            <PayerField value={chosen} onChange={setChosen} isGuess={chosen !== null && chosen.value === payer?.id} />
          </Suspense>
        ) : null}
        <TextAreaField
          label="Words to the crew"
          hint="They read them on the phone. Can be left empty."
          value={note}
          onChange={setNote}
          rows={2}
          maxLength={300}
        />
      </FieldGrid>
    </ConfirmDialog>
  )
}
