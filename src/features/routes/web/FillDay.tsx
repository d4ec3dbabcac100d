import { formatDuration } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { routesApi } from '../contract.ts'
import { usePlan } from './data.ts'
import { useRun } from './useRun.ts'

type Props = {
  day: string
  /** Nothing waits that would fit. */
  disabled: boolean
  /** The day is another one now. */
  onChange: () => void
}

/** Gives a day what is due and fits best; the stops that stand there keep their crew. One step to undo. */
export const FillDay = ({ day, disabled, onChange }: Props) => {
  const { undo } = usePlan(day)
  const may = useMay()(routesApi.optimize)
  const run = useRun(day, ({ status, error, result }, mine) => {
    onChange()
    if (!mine) return
    if (status === 'failed') toast.error(error ?? 'The day could not be filled. Nothing was changed.')
    else if (status === 'applied' && result) {
      const placed = result.changes.filter((change) => change.kind === 'placed').length
      toast.undo(
        `${placed} ${placed === 1 ? 'visit' : 'visits'} placed; ${formatDuration(result.after.driveSeconds)} of driving now`,
        () => undo.mutate({ day }, { onSuccess: onChange }),
      )
    } else toast.message('Nothing more fits on this day. Each visit says why.')
  })
  return may ? (
    <Button
      size="s"
      calls={routesApi.optimize}
      loading={run.begin.isPending || run.searching !== null}
      disabled={disabled}
      onClick={() => run.begin.mutate({ kind: 'optimize', body: { day, keepAssignments: true } })}
    >
      Fill this day
    </Button>
  ) : null
}
