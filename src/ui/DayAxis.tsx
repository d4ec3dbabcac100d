import './DayStrip.css'
import { axisTicks, type DaySpan } from './stripLayout.ts'

/** Hours above one or more strips of the same span. Decoration: each stripe says its own times. */
export const DayAxis = ({ span, most = 7 }: { span: DaySpan; most?: number }) => (
  <div className="ui-axis" aria-hidden="true">
    {axisTicks(span, most).map((tick) => (
      <span
        key={tick.minute}
        className={tick.percent < 3 ? 'is-first' : tick.percent > 97 ? 'is-last' : ''}
        style={{ left: `${tick.percent}%` }}
      >
        {tick.text}
      </span>
    ))}
  </div>
)
