import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { type LeadStatus, leadStatuses } from '../../../prospects/rules.ts'
import { messageOf, statusNames } from '../../web/labels.ts'
import { useNotify } from '../../web/notice.ts'
import type { LeadsOf } from '../contract.ts'
import { useSetStatuses } from './data.ts'

type Props = { choice: { ids: string[] } | { filter: LeadsOf }; onDone: () => void }

/** One status for the chosen leads. */
export const BulkStatus = ({ choice, onDone }: Props) => {
  const [status, setStatus] = useState<LeadStatus>('contacted')
  const set = useSetStatuses()
  const notify = useNotify()
  const apply = () =>
    set.mutate(
      { choice, status },
      {
        onSuccess: ({ changed }) => {
          notify(
            'done',
            `${changed} ${changed === 1 ? 'lead is' : 'leads are'} ${statusNames[status].toLowerCase()} now`,
          )
          onDone()
        },
        onError: (error) => notify('error', `No status was changed: ${messageOf(error)}`),
      },
    )
  return (
    <>
      <SelectField
        className="desk-status"
        label="New status"
        hideLabel
        value={status}
        options={leadStatuses.map((value) => ({ value, label: statusNames[value] }))}
        onChange={setStatus}
      />
      <Button size="s" loading={set.isPending} onClick={apply}>
        Set status
      </Button>
    </>
  )
}
