import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '#src/shared/client.ts'
import { Banner } from '#src/ui/Banner.tsx'
import { Button } from '#src/ui/Button.tsx'
import { CheckboxField } from '#src/ui/CheckboxField.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { FormActions } from '#src/ui/FormActions.tsx'
import { useToday } from '../../../accounts/web/session.ts'
import { calendarQuery } from '../../web/data.ts'
import { useSettled } from '../../web/useSettled.ts'
import { type BulkEdit, jobEditsApi } from '../contract.ts'
import { BulkFields } from './BulkFields.tsx'
import { BulkOutcome } from './BulkOutcome.tsx'
import { type BulkBody, bulkPreviewQuery, useEditJobs } from './data.ts'
import { type BulkKind, changeOf, firstWish, jobsText, titles, type Wish } from './wish.ts'

type Props = {
  kind: BulkKind
  choice: BulkBody['choice']
  count: number
  /** What is chosen, where that is not so many jobs. */
  title?: string
  onClose: () => void
  onDone: (edit: BulkEdit) => void
}

const said = (error: unknown): string =>
  error instanceof ApiError
    ? (error.errors[0]?.message ?? error.message)
    : 'The visits could not be counted. Nothing was changed; please try again.'

/** One change for many jobs: what shall be different, what that does, and the deed. Nothing is sent before its numbers stand there. */
export const BulkDialog = ({ kind, choice, count, title, onClose, onDone }: Props) => {
  const today = useToday()
  const calendar = useQuery(calendarQuery)
  const [wish, setWish] = useState<Wish>(firstWish)
  const change = changeOf(kind, wish)
  const asked = useSettled(JSON.stringify(change))
  const settled = asked === JSON.stringify(change) && change !== null
  const preview = useQuery({
    ...bulkPreviewQuery({ choice, change: change ?? { kind: 'resume' } }),
    enabled: settled,
    placeholderData: change === null ? undefined : keepPreviousData,
  })
  const edit = useEditJobs()
  const current = settled && !preview.isPlaceholderData && !preview.isFetching ? preview.data : undefined
  // The second of two fast presses comes before the first is drawn.
  const sending = useRef(false)
  const apply = async () => {
    if (!change || !current || sending.current) return
    sending.current = true
    try {
      onDone(await edit.mutateAsync({ choice, change, fingerprint: current.fingerprint }))
    } catch {
      // What is said stands below; the numbers are counted anew.
      void preview.refetch()
    } finally {
      sending.current = false
    }
  }
  const none = current?.jobs === 0
  // A yes to these visits, not to others that are counted later.
  const [agreed, setAgreed] = useState<string | null>(null)
  return (
    <Dialog
      open
      onClose={edit.isPending ? () => undefined : onClose}
      title={title ?? titles[kind](jobsText(count))}
      closeOnOutside={false}
    >
      <div className="bulk">
        <BulkFields
          kind={kind}
          wish={wish}
          set={(changes) => setWish((before) => ({ ...before, ...changes }))}
          today={today}
          workDays={calendar.data?.workDays ?? [1, 2, 3, 4, 5]}
        />
        {edit.error ? <Banner tone="error">{said(edit.error)}</Banner> : null}
        {change !== null && preview.error && !preview.isFetching ? (
          <Banner
            tone="error"
            action={
              <Button size="s" onClick={() => preview.refetch()}>
                Count again
              </Button>
            }
          >
            {said(preview.error)}
          </Banner>
        ) : change !== null && preview.data ? (
          <div className={current ? undefined : 'bulk-old'}>
            <BulkOutcome preview={preview.data} />
          </div>
        ) : change !== null ? (
          <p className="muted" role="status">
            Counting the visits…
          </p>
        ) : null}
        {current?.unlicensed && !none ? (
          <CheckboxField
            label="Change them all the same"
            hint="Until somebody of the crew has the license, the law does not let it do this work."
            value={agreed === current.fingerprint}
            onChange={(on) => setAgreed(on ? current.fingerprint : null)}
          />
        ) : null}
        <FormActions>
          <Button
            kind="primary"
            calls={jobEditsApi.create}
            disabled={!current || none || (current.unlicensed !== null && agreed !== current.fingerprint)}
            loading={edit.isPending}
            onClick={apply}
          >
            {current && !none ? `Change ${jobsText(current.jobs)}` : 'Change'}
          </Button>
          <Button onClick={onClose} disabled={edit.isPending}>
            Cancel
          </Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
