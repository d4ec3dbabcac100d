import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { employeesQuery } from '../../../employees/web/data.ts'
import { type TipMove, tipsApi } from '../contract.ts'
import { useTipPeople } from './data.ts'

const Choose = ({ tip, onClose }: { tip: TipMove; onClose: () => void }) => {
  const everybody = useQuery(employeesQuery({ status: 'active' }))
  const [chosen, setChosen] = useState<readonly string[]>(tip.people.map(({ userId }) => userId))
  const [problem, setProblem] = useState<string | null>(null)
  const save = useTipPeople(tip.paymentId)
  if (everybody.isError) return <ErrorState error={everybody.error} onRetry={() => void everybody.refetch()} compact />
  if (!everybody.data) return <PanelSkeleton />
  const submit = async () => {
    if (chosen.length === 0) return setProblem('Check at least one person.')
    setProblem(null)
    try {
      const { people } = await save.mutateAsync([...chosen])
      toast.success(`The tip is ${people.map(({ name, cents }) => `${name}’s (${formatCents(cents)})`).join(', ')}`)
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'This was not saved. Please try again.')
    }
  }
  return (
    <>
      <p className="muted">
        {formatCents(Math.abs(tip.amountCents))} of {tip.customerName}, {formatDay(tip.onDay)}
        {tip.invoice ? `, with ${tip.invoice.name}` : ', at the door'}. Who shares it gets the same part; the books stay
        as they are.
      </p>
      {problem ? <Banner tone="error">{problem}</Banner> : null}
      <div className="tip-people">
        {everybody.data.items.map(({ id, name }) => (
          <CheckboxField
            key={id}
            label={name}
            value={chosen.includes(id)}
            onChange={(on) => setChosen(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
        ))}
      </div>
      <FormActions>
        <Button kind="primary" calls={tipsApi.setPeople} loading={save.isPending} onClick={() => void submit()}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </>
  )
}

/** Says whose a tip is, where nobody was clocked in or somebody else did the work. */
export const TipPeople = ({ tip, onClose }: { tip: TipMove | null; onClose: () => void }) => (
  <Dialog open={tip !== null} onClose={onClose} title="Whose tip is it?" size="s" closeOnOutside={false}>
    {tip ? <Choose key={tip.id} tip={tip} onClose={onClose} /> : null}
  </Dialog>
)
