import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { KeyValue } from '../../../../ui/KeyValue.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useUser } from '../../../accounts/web/session.ts'
import { type Unrecorded, unrecordedApi } from '../contract.ts'
import { unrecordedQuery, useSettle } from './data.ts'
import '../../web/chemicals.css'

const titleOf = ({ kind, by }: Unrecorded): string =>
  kind === 'refused'
    ? `${by ?? 'Somebody'} recorded this, and it could not be taken`
    : `${by ?? 'Somebody'} finished without a record`

const Settle = ({ id, onDone }: { id: string; onDone: () => void }) => {
  const form = useForm({ defaultValues: { note: '' } })
  const settle = useSettle()
  return (
    <Form
      form={form}
      label="Nothing to record"
      onSubmit={async ({ note }) => {
        await settle.mutateAsync({ id, note })
        toast.success('It waits no more; why is kept')
        onDone()
      }}
    >
      <FormField control={form.control} name="note">
        {(f) => <TextField label="Why is nothing recorded?" maxLength={500} {...f} />}
      </FormField>
      <FormActions>
        <Button
          type="submit"
          size="s"
          kind="primary"
          calls={unrecordedApi.settle}
          loading={form.formState.isSubmitting}
        >
          Nothing to record
        </Button>
        <Button size="s" onClick={onDone}>
          Cancel
        </Button>
      </FormActions>
    </Form>
  )
}

/** What crews applied and what is on no record yet, with everything that they typed. Nothing is shown where nothing waits. */
export const UnrecordedList = ({
  visitId,
  onRecord,
}: {
  visitId: string | null
  /** Begins a record with what was typed; without it the visit is where that is done. */
  onRecord?: ((one: Unrecorded) => void) | undefined
}) => {
  const { timeZone } = useUser().business
  const found = useQuery(unrecordedQuery(visitId))
  const [open, setOpen] = useState<string | null>(null)
  if (found.error && !found.data)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!found.data || found.data.items.length === 0) return null
  return (
    <ul className="chem-list chem-list--bare" aria-label="Not recorded yet">
      {found.data.items.map((one) => (
        <li key={one.id}>
          <b>{titleOf(one)}</b>
          <span className="hint">
            {[one.street, `${formatDay(dayOf(one.at, timeZone))}, ${formatTime(one.at, timeZone)}`]
              .filter(Boolean)
              .join(' · ')}
          </span>
          <p>{one.kind === 'without' ? `“${one.reason}”` : one.reason}</p>
          {one.typed.length > 0 ? (
            <details>
              <summary>Everything that was typed</summary>
              <KeyValue labelWidth={132} items={one.typed.map(({ label, text }) => ({ label, value: text }))} />
            </details>
          ) : null}
          {open === one.id ? (
            <Settle id={one.id} onDone={() => setOpen(null)} />
          ) : (
            <div>
              {onRecord ? (
                <Button size="s" onClick={() => onRecord(one)}>
                  Record it
                </Button>
              ) : one.jobId && one.visitId ? (
                <LinkTo href={linkTo.job(one.jobId, { visitId: one.visitId })}>Record it on the visit</LinkTo>
              ) : null}{' '}
              <Button size="s" kind="quiet" calls={unrecordedApi.settle} onClick={() => setOpen(one.id)}>
                Nothing to record
              </Button>
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
