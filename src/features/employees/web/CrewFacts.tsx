import { formatMinute } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { KeyValue } from '../../../ui/KeyValue.tsx'
import type { Crew } from '../contract.ts'
import { weekdaysText } from './labels.ts'

/** Who is on a crew, when it works, from where, with what. */
export const CrewFacts = ({ crew }: { crew: Crew }) => (
  <>
    <span className="crew-card__people">
      {crew.members.map((member) => (
        <span key={member.userId} className="crew-card__person">
          <Avatar name={member.name} size={26} color={crew.color} />
          {member.name}
          {member.userId === crew.leaderUserId ? <span className="hint">leads</span> : null}
          {member.away ? <span className="hint">off today</span> : null}
        </span>
      ))}
      {crew.members.length === 0 ? <span className="hint">Nobody on it yet: planned as one person</span> : null}
    </span>
    <KeyValue
      items={[
        {
          label: 'Shift',
          value: `${formatMinute(crew.shiftStartMinute)} to ${formatMinute(crew.shiftEndMinute)}, ${weekdaysText(crew.workDays)}`,
        },
        {
          label: 'Other shifts',
          value: crew.weekdayShifts
            .filter(
              (one) =>
                crew.workDays.includes(one.weekday) &&
                (one.startMinute !== crew.shiftStartMinute ||
                  one.endMinute !== crew.shiftEndMinute ||
                  one.breakMinutes !== crew.breakMinutes),
            )
            .map(
              (one) =>
                `${weekdaysText([one.weekday])} ${formatMinute(one.startMinute)} to ${formatMinute(one.endMinute)}`,
            )
            .join(', '),
        },
        {
          label: 'Truck',
          value: [
            crew.vehicle.name,
            crew.vehicle.plate,
            crew.vehicle.seats ? `${crew.vehicle.seats} ${crew.vehicle.seats === 1 ? 'seat' : 'seats'}` : '',
          ]
            .filter(Boolean)
            .join(' · '),
        },
        { label: 'Break', value: crew.breakMinutes ? `${crew.breakMinutes} min` : 'none' },
        { label: 'Starts from', value: crew.depotStreet || (crew.depotLatitude === null ? '' : 'the pin on the map') },
        { label: 'Skills, equipment', value: crew.skills.join(', ') },
        {
          label: 'Costs',
          value: crew.costCentsPerHour === null ? '' : `${formatCents(crew.costCentsPerHour)} an hour, burden included`,
        },
      ]}
    />
  </>
)
