import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/client.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { type Choice, ComboboxField } from '../../../ui/ComboboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { KeyValue } from '../../../ui/KeyValue.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { searchApi } from '../../search/contract.ts'
import { type MergePreview, mergesApi } from '../contract.ts'
import { mergePreviewQuery, useMerge } from './data.ts'

type Props = {
  customer: { id: string; name: string }
  /** The other record; null where it is still to be found. */
  goneId: string | null
  onClose: () => void
  onDone: (keptId: string) => void
}

const Facts = ({ preview }: { preview: MergePreview }) => {
  const { kept, gone, moves, gets, stays, notes } = preview
  return (
    <>
      <p>
        <b>{kept.name}</b> is kept. The other record{gone.name === kept.name ? '' : `, ${gone.name},`} is archived.
      </p>
      {notes.length > 0 ? (
        <Banner tone="warn" title="Before you merge">
          {notes.join(' ')}
        </Banner>
      ) : null}
      <section className="panel-section" aria-label="What moves">
        <h3>Moves to {kept.name}</h3>
        {moves.length === 0 ? (
          <p className="muted">Nothing hangs on the other record.</p>
        ) : (
          <KeyValue items={moves.map(({ label, count }) => ({ label, value: count.toLocaleString('en-US') }))} />
        )}
      </section>
      {gets.length > 0 ? (
        <section className="panel-section" aria-label="What is filled in">
          <h3>Filled in from the other</h3>
          <KeyValue
            items={gets.map(({ label, value }) => ({ label, value: <span className="pre-line">{value}</span> }))}
          />
        </section>
      ) : null}
      {stays.length > 0 ? (
        <section className="panel-section" aria-label="What stays">
          <h3>Different: stays as it is here</h3>
          <KeyValue
            items={stays.map((field) => ({
              label: field.label,
              value: (
                <>
                  {field.kept} <span className="hint">not {field.gone}</span>
                </>
              ),
            }))}
          />
        </section>
      ) : null}
    </>
  )
}

/** Two records of one customer become one: what moves and which fields win is read first, and it can be taken back. */
export const MergeDialog = ({ customer, goneId, onClose, onDone }: Props) => {
  const [chosen, setChosen] = useState<Choice | null>(null)
  const [turned, setTurned] = useState(false)
  const { merge, undo } = useMerge()
  const otherId = goneId ?? chosen?.value ?? null
  const pair: [string, string] | null = otherId ? (turned ? [otherId, customer.id] : [customer.id, otherId]) : null
  const preview = useQuery({ ...mergePreviewQuery(pair?.[0] ?? '', pair?.[1] ?? ''), enabled: pair !== null })
  const search = async (q: string, signal: AbortSignal): Promise<Choice[]> =>
    (await call(searchApi.find, { query: { q } }, { signal })).results
      .filter(({ kind, id }) => kind === 'customer' && id !== customer.id)
      .map(({ id, title, subtitle }) => ({ value: id, label: title, hint: subtitle }))
  const run = (seen: MergePreview) =>
    merge.mutate(seen, {
      onSuccess: ({ mergeId, keptId, isFinal }) => {
        if (isFinal) toast.success(`${seen.kept.name} and ${seen.gone.name} are one now`)
        else
          toast.undo(`${seen.kept.name} and ${seen.gone.name} are one now`, () =>
            undo.mutate(mergeId, {
              onSuccess: ({ fieldsBack }) =>
                toast.message(
                  fieldsBack
                    ? 'They are two records again'
                    : 'They are two records again. The kept one was changed since, so its fields stay as they are now.',
                ),
              onError: toast.error,
            }),
          )
        onDone(keptId)
      },
      onError: (problem) => {
        toast.error(problem)
        void preview.refetch()
      },
    })
  const seen = preview.data
  return (
    <Dialog open onClose={onClose} title={`Merge ${customer.name}`}>
      <div className="panel-stack">
        {goneId ? null : (
          <ComboboxField
            label="The other record of this customer"
            placeholder="Name, street or phone"
            value={chosen}
            onChange={(choice) => {
              setTurned(false)
              setChosen(choice)
            }}
            search={search}
            emptyText="No other such customer"
            autoFocus
          />
        )}
        {pair === null ? null : preview.isError ? (
          <ErrorState compact error={preview.error} onRetry={preview.refetch} retrying={preview.isFetching} />
        ) : !seen ? (
          <Skeleton height={160} />
        ) : seen.refusal ? (
          <Banner
            tone="warn"
            title="Not this way round"
            {...(seen.turned
              ? { action: <Button onClick={() => setTurned(!turned)}>{`Keep ${seen.gone.name}`}</Button> }
              : {})}
          >
            {seen.refusal}
          </Banner>
        ) : (
          <Facts preview={seen} />
        )}
        <FormActions>
          <Button
            calls={mergesApi.merge}
            kind="primary"
            disabled={!seen || seen.refusal !== null}
            loading={merge.isPending}
            onClick={() => seen && run(seen)}
          >
            Merge
          </Button>
          {seen && seen.refusal === null ? (
            <Button kind="quiet" onClick={() => setTurned(!turned)}>{`Keep ${seen.gone.name} instead`}</Button>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
