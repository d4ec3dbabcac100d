import { Badge } from '../../../../ui/Badge.tsx'
import type { Sheet } from '../contract.ts'
import { exceptionLabel } from '../rules.ts'
import './timesheets.css'

/**
 * What to look at in a week, what somebody waits for first.
 * @param most so many stand there, the others are counted: a row of a table has one line for them
 */
export const Marks = ({
  sheet,
  most = Number.POSITIVE_INFINITY,
}: {
  sheet: Pick<Sheet, 'request' | 'isRunning' | 'exceptions'>
  most?: number
}) => {
  const kinds = [...new Set(sheet.exceptions.map((one) => one.kind))]
  const marks = [
    ...(sheet.request ? [{ label: 'Asks', tone: 'flag' as const }] : []),
    ...kinds.map((kind) => ({ label: exceptionLabel[kind], tone: 'wait' as const })),
    ...(sheet.isRunning ? [{ label: 'On the clock', tone: 'now' as const }] : []),
  ]
  const rest = marks.slice(most).map(({ label }) => label)
  return (
    <>
      {marks.slice(0, most).map(({ label, tone }) => (
        <Badge key={label} tone={tone}>
          {label}
        </Badge>
      ))}
      {rest.length > 0 ? (
        <span className="sheet-more" title={rest.join(', ')}>
          +{rest.length}
          <span className="ui-hidden"> more: {rest.join(', ')}</span>
        </span>
      ) : null}
    </>
  )
}
