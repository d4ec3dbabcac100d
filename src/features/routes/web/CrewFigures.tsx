import { formatCents } from '../../../shared/money.ts'
import type { RouteCrew } from '../contract.ts'
import { miles, shortDuration } from './plan.ts'

/** What the order of the stops saves: the same stops in the order of booking beside the plan. */
export const CrewFigures = ({ crew }: { crew: RouteCrew }) => {
  const { totals, booked } = crew
  const rows: [string, string, string][] = [
    ['Driving', shortDuration(booked.driveSeconds), shortDuration(totals.driveSeconds)],
    ['Miles', miles(booked.driveMeters), miles(totals.driveMeters)],
  ]
  if (totals.laborCents !== null && booked.laborCents !== null)
    rows.push(['Drive labor', formatCents(booked.laborCents), formatCents(totals.laborCents)])
  return (
    <table className="crew-figures">
      <caption className="ui-hidden">{crew.name}, as booked and planned</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">as booked</th>
          <th scope="col">planned</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, before, now]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td className="num">{before}</td>
            <td className="num">
              <b>{now}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
