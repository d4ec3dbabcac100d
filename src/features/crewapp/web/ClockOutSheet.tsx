import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import { toast } from '../../../ui/toast.tsx'
import { dayTotals } from '../../visits/rules.ts'
import type { Crew } from './data.ts'
import { spanOf } from './labels.ts'

/** Says what the day came to before the clock stops; nothing is deducted without being seen. */
export const ClockOutSheet = ({
  crew,
  open,
  onClose,
  whole,
}: {
  crew: Crew
  open: boolean
  onClose: () => void
  /** Of the whole crew: what the button says. */
  whole?: string | undefined
}) => {
  const { t, clock, plan, today } = crew
  const sums = clock?.week.days.find((d) => d.day === today)
  const left = plan ? dayTotals(plan.stops).remaining : 0
  const out = () => {
    onClose()
    crew.act('clock_out', undefined, whole ? { crew: true } : {}).catch(() => toast.error(t.notSaved))
  }
  return (
    <Sheet open={open} onClose={onClose} title={t.clockOutTitle} closeLabel={t.close}>
      <p>{t.clockOutSum(spanOf(sums?.workSeconds ?? 0), spanOf(sums?.breakSeconds ?? 0))}</p>
      {left > 0 ? <p>{t.stopsLeft(left)}</p> : null}
      <FieldButton kind="main" onClick={out}>
        {whole ?? t.clockOut}
      </FieldButton>
    </Sheet>
  )
}
