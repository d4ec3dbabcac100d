import { formatMinute } from '../../../shared/dates.ts'
import type { FieldWords } from '../../../ui/TwoAnswers.tsx'
import type { PlacePin } from '../../geocoding/web/PlaceTools.tsx'
import type { Crew, Employee } from '../contract.ts'
import { crewColors } from '../rules.ts'
import { skillsIn, weekdaysText } from './labels.ts'

/** A crew as the form holds it. */
export type Values = {
  name: string
  color: string
  memberUserIds: string[]
  leaderUserId: string
  depotStreet: string
  depot: PlacePin | null
  shiftStartMinute: number | null
  shiftEndMinute: number | null
  breakMinutes: number | null
  workDays: number[]
  driveFactorPercent: number | null
  skills: string
  vehicleName: string
  vehiclePlate: string
  vehicleSeats: number | null
  weekdayShifts: {
    weekday: string
    startMinute: number | null
    endMinute: number | null
    breakMinutes: number | null
  }[]
  /** First day on which another list of people counts. */
  membersFrom: string | null
}

export const valuesOf = (crew: Crew | null, color: string): Values => ({
  name: crew?.name ?? '',
  color: crew?.color ?? color,
  memberUserIds: crew?.members.map((m) => m.userId) ?? [],
  leaderUserId: crew?.leaderUserId ?? '',
  depotStreet: crew?.depotStreet ?? '',
  depot:
    crew?.depotLatitude == null || crew.depotLongitude == null
      ? null
      : { lat: crew.depotLatitude, lon: crew.depotLongitude },
  shiftStartMinute: crew?.shiftStartMinute ?? 420,
  shiftEndMinute: crew?.shiftEndMinute ?? 960,
  breakMinutes: crew?.breakMinutes ?? 30,
  workDays: crew?.workDays ?? [1, 2, 3, 4, 5],
  driveFactorPercent: crew?.driveFactorPercent ?? 100,
  skills: crew?.skills.join(', ') ?? '',
  vehicleName: crew?.vehicle.name ?? '',
  vehiclePlate: crew?.vehicle.plate ?? '',
  vehicleSeats: crew?.vehicle.seats ?? null,
  weekdayShifts: crew?.weekdayShifts.map((one) => ({ ...one, weekday: `${one.weekday}` })) ?? [],
  membersFrom: null,
})

/** What two people can change without disturbing each other: who is on the crew and who leads it are one thing, so is a pin. */
export const fieldsOf = ({ memberUserIds, leaderUserId, depot, skills, membersFrom: _, ...values }: Values) => ({
  ...values,
  workDays: [...values.workDays].sort(),
  people: {
    memberUserIds: [...memberUserIds].sort(),
    leaderUserId: memberUserIds.includes(leaderUserId) ? leaderUserId : null,
  },
  depot: depot && { lat: depot.lat, lon: depot.lon },
  shiftStartMinute: values.shiftStartMinute ?? 420,
  shiftEndMinute: values.shiftEndMinute ?? 960,
  breakMinutes: values.breakMinutes ?? 0,
  driveFactorPercent: values.driveFactorPercent ?? 100,
  skills: skillsIn(skills),
  vehicleName: values.vehicleName.trim(),
  vehiclePlate: values.vehiclePlate.trim(),
  weekdayShifts: values.weekdayShifts
    .map((one) => ({
      weekday: Number(one.weekday),
      startMinute: one.startMinute ?? 420,
      endMinute: one.endMinute ?? 960,
      breakMinutes: one.breakMinutes ?? 0,
    }))
    .sort((a, b) => a.weekday - b.weekday),
})

type Fields = ReturnType<typeof fieldsOf>
type Wire<F extends Partial<Fields>> = Omit<F, 'people' | 'depot'> &
  Partial<Fields['people']> & { depotLatitude?: number | null; depotLongitude?: number | null }

/** Fields as they go to the server. */
export const bodyOf = <F extends Partial<Fields>>({ people, depot, ...fields }: F): Wire<F> => ({
  ...fields,
  ...people,
  ...(depot === undefined ? {} : { depotLatitude: depot?.lat ?? null, depotLongitude: depot?.lon ?? null }),
})

/** What the form calls its fields; people go by their names. */
export const wordsFor = (staff: readonly Pick<Employee, 'id' | 'name'>[]): FieldWords<Fields> => ({
  name: 'Name',
  color: {
    label: 'Color on map and board',
    show: (color) => (
      <span className="crew-swatch" style={{ background: color }}>
        <span className="ui-hidden">Color {(crewColors as readonly string[]).indexOf(color.toLowerCase()) + 1}</span>
      </span>
    ),
  },
  people: {
    label: 'On the crew',
    show: ({ memberUserIds, leaderUserId }) =>
      memberUserIds
        .map(
          (id) =>
            `${staff.find((person) => person.id === id)?.name ?? 'Somebody'}${id === leaderUserId ? ' (leads)' : ''}`,
        )
        .join(', '),
  },
  depotStreet: 'Depot',
  depot: { label: 'Depot on the map', show: (pin) => pin && `${pin.lat.toFixed(5)}, ${pin.lon.toFixed(5)}` },
  shiftStartMinute: { label: 'Shift starts', show: formatMinute },
  shiftEndMinute: { label: 'Shift ends', show: formatMinute },
  breakMinutes: { label: 'Unpaid break', show: (minutes) => `${minutes} min` },
  workDays: { label: 'Works on', show: weekdaysText },
  skills: 'Skills and equipment',
  vehicleName: 'Truck',
  vehiclePlate: 'Plate',
  vehicleSeats: 'Seats',
  weekdayShifts: {
    label: 'Other shifts',
    show: (shifts) =>
      shifts
        .map(
          (one) => `${weekdaysText([one.weekday])} ${formatMinute(one.startMinute)} to ${formatMinute(one.endMinute)}`,
        )
        .join(', '),
  },
  driveFactorPercent: { label: 'Drive time', show: (percent) => `${percent}%` },
})
