import { Button } from '#src/ui/Button.tsx'
import { IconPlus } from '#src/ui/icons.ts'
import type { ServiceRecord } from '../../services/contract.ts'
import type { Calendar } from '../rules.ts'
import { LineFields } from './LineFields.tsx'
import { type Lawn, type LineForm, newLine, numbersOf } from './lines.ts'
import { ScheduleEditor } from './ScheduleEditor.tsx'
import type { Schedule } from './schedule.ts'

type Props = {
  lines: readonly LineForm[]
  onLines: (lines: LineForm[]) => void
  schedule: Schedule
  onSchedule: (schedule: Schedule) => void
  lawn: Lawn | null
  services: readonly ServiceRecord[]
  calendar: Calendar
  canPrice: boolean
  hideStart?: boolean
  hidePreview?: boolean
  allowPast?: boolean
  /** The server's words for a line, by its place. */
  errors?: Readonly<Record<number, string>>
}

/** What is done and when: the services with their prices, and the schedule they share. */
export const WorkFields = ({
  lines,
  onLines,
  schedule,
  onSchedule,
  lawn,
  services,
  calendar,
  canPrice,
  hideStart = false,
  hidePreview = false,
  allowPast = false,
  errors = {},
}: Props) => {
  const others = services.filter((s) => !lines.some((line) => line.serviceId === s.id))
  return (
    <>
      <section className="job-part">
        <h3>Services</h3>
        {lines.map((line, index) => (
          <LineFields
            key={line.key}
            line={line}
            numbers={numbersOf(
              line,
              services.find((s) => s.id === line.serviceId),
              lawn,
              schedule,
            )}
            services={services}
            schedule={schedule}
            calendar={calendar}
            canPrice={canPrice}
            error={errors[index]}
            onChange={(next) => onLines(lines.map((old) => (old.key === line.key ? next : old)))}
            onRemove={lines.length > 1 ? () => onLines(lines.filter((old) => old.key !== line.key)) : undefined}
          />
        ))}
        {others[0] ? (
          <div>
            <Button
              size="s"
              kind="quiet"
              icon={<IconPlus />}
              onClick={() => onLines([...lines, newLine(others[0]?.id ?? '')])}
            >
              Add a service
            </Button>
          </div>
        ) : null}
      </section>
      {lines.every((line) => line.schedule?.undated?.kind === 'step') ? null : (
        <section className="job-part">
          <h3>Schedule</h3>
          <ScheduleEditor
            withUndated
            value={schedule}
            onChange={onSchedule}
            calendar={calendar}
            hideStart={hideStart}
            hidePreview={hidePreview}
            allowPast={allowPast}
          />
        </section>
      )}
    </>
  )
}
