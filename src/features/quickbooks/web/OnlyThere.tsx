import { useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { type Difference, quickbooksApi } from '../contract.ts'
import type { Repair } from '../rules.ts'
import { useRepair } from './data.ts'

const labelOf = (how: Repair, one: Difference): string => {
  if (how === 'link') return `It is ${one.twin?.label ?? 'one of ours'}`
  if (how === 'bring_in') return 'Record it in Swath'
  if (how === 'take_out') return 'Take it out of QuickBooks'
  if (how === 'leave') return 'Leave it as it is'
  return 'List it again'
}
const doneWords: Record<Repair, string> = {
  link: 'They are one now. QuickBooks gets what Swath says.',
  bring_in: 'Recorded. The invoice here has the payment now.',
  take_out: 'Taken out of QuickBooks.',
  leave: 'Left as it is in QuickBooks.',
  list_again: 'It is listed again.',
}

/** What can be done about a record that stands only in the books. */
export const OnlyThere = ({ month, one }: { month: string; one: Difference }) => {
  const may = useMay()
  const repair = useRepair()
  const [asks, setAsks] = useState<'take_out' | 'leave' | null>(null)
  const [reason, setReason] = useState('')
  const { theirs } = one
  if (!theirs || one.repairs.length === 0 || !may(quickbooksApi.repair)) return null
  const ask = (how: Repair, why = '') =>
    repair.mutateAsync({
      month,
      type: theirs.type,
      remoteId: theirs.id,
      how,
      localId: how === 'link' ? (one.twin?.localId ?? null) : null,
      reason: why,
    })
  const act = (how: Repair) => {
    if (how === 'take_out' || how === 'leave') return setAsks(how)
    ask(how).then(
      () => toast.success(doneWords[how]),
      (error: unknown) => toast.error(error),
    )
  }
  const confirm = async () => {
    if (!asks) return
    await ask(asks, asks === 'leave' ? reason : '')
    toast.success(doneWords[asks])
  }
  return (
    <>
      {one.repairs.map((how, at) => (
        <Button
          key={how}
          size="s"
          kind={at === 0 && how !== 'take_out' && how !== 'leave' && how !== 'list_again' ? 'primary' : 'secondary'}
          calls={quickbooksApi.repair}
          loading={repair.isPending && repair.variables.how === how && asks === null}
          disabled={repair.isPending}
          onClick={() => act(how)}
        >
          {labelOf(how, one)}
        </Button>
      ))}
      <ConfirmDialog
        open={asks === 'take_out'}
        onClose={() => setAsks(null)}
        title={`Take ${one.label} out of QuickBooks?`}
        confirmLabel="Take it out"
        danger
        onConfirm={confirm}
      >
        {formatCents(one.theirsCents ?? 0)} comes off your books there. Nothing changes in Swath, and whoever got it is
        not told.
      </ConfirmDialog>
      <ConfirmDialog
        open={asks === 'leave'}
        onClose={() => setAsks(null)}
        title={`Leave ${one.label} as it is?`}
        confirmLabel="Leave it"
        onConfirm={confirm}
      >
        <p>It stays in QuickBooks and is no difference any more. You find it below the month and can list it again.</p>
        <TextField label="Why" optional maxLength={300} value={reason} onChange={setReason} />
      </ConfirmDialog>
    </>
  )
}
