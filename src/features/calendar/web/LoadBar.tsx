import type { CrewDay } from '../contract.ts'
import { hoursLabel, loadLabel, loadPercent, loadTone } from '../rules.ts'

/** How full a crew's day is: work, then driving, of what its people can do. */
export const LoadBar = ({ load, short }: { load: CrewDay; short?: boolean }) => {
  const total = load.workMinutes + load.driveMinutes
  const percent = loadPercent(load)
  const whole = Math.max(load.capacityMinutes, total, 1)
  const share = (minutes: number) => `${(minutes / whole) * 100}%`
  const said = `${percent === 999 ? 'No shift' : `${percent}% of the day`}: ${hoursLabel(load.workMinutes)} of work and ${hoursLabel(load.driveMinutes)} of driving in ${hoursLabel(load.capacityMinutes)}${load.undriven ? `, driving to ${load.undriven} not planned yet` : ''}`
  return (
    <div className={`cal-load is-${loadTone(percent)}`} title={said}>
      <span className="cal-load__track" aria-hidden="true">
        <i style={{ width: share(load.workMinutes) }} />
        <i className="is-drive" style={{ width: share(load.driveMinutes) }} />
      </span>
      <span className="cal-load__words num" aria-hidden="true">
        <b>{total === 0 && load.capacityMinutes > 0 ? 'free' : loadLabel(load)}</b>
        {short ? null : ` · ${hoursLabel(total)} of ${hoursLabel(load.capacityMinutes)}`}
      </span>
      <span className="ui-hidden">{said}</span>
    </div>
  )
}
