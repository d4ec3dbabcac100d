import { formatCents } from '../../../shared/money.ts'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import type { PlanLine } from '../contract.ts'

type Props = { lines: readonly PlanLine[]; onChange: (lineIds: string[]) => void; error?: string | undefined }

const visits = (count: number): string => (count === 1 ? '1 visit' : `${count} visits`)

/** The work that a plan covers, to tick: what each line comes to in the season. */
export const WorkList = ({ lines, onChange, error }: Props) => {
  const ticked = lines.filter(({ covered }) => covered).map(({ lineId }) => lineId)
  const places = new Set(lines.map(({ place }) => place))
  return (
    <fieldset className="plan-work">
      <legend>Work it covers</legend>
      <p className="hint">What is not ticked, and what is done beyond it, is billed by the visit as before.</p>
      {lines.map(({ lineId, service, place, jobNumber, schedule, visits: count, cents, covered, refusal }) => (
        <div key={lineId} className="plan-work__line">
          <CheckboxField
            label={service}
            value={covered}
            disabled={refusal !== null}
            onChange={(on) => onChange(on ? [...ticked, lineId] : ticked.filter((id) => id !== lineId))}
            hint={[refusal, schedule, places.size > 1 ? place : null, `#${jobNumber}`].filter(Boolean).join(' · ')}
          />
          <span className="num">
            {formatCents(cents)}
            <span className="hint">{visits(count)}</span>
          </span>
        </div>
      ))}
      {error ? (
        <p role="alert" className="plan-problem">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
