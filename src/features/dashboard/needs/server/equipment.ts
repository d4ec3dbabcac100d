import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { defectTitle } from '../../../equipment/checks/rules.ts'
import type { Equipment } from '../../../equipment/contract.ts'
import { readingText } from '../../../equipment/rules.ts'
import { listEquipmentNeeds } from '../../../equipment/server/queries.ts'
import type { Need } from '../../contract.ts'

const open = (label: string, path: string) => ({
  amountCents: null,
  path,
  action: { kind: 'open', label, path } as const,
})

/** What crews found wrong and nobody has dealt with; the same point of the same piece stands there once. */
const defects = async (db: TenantDb): Promise<Need[]> => {
  const { rows } = await sql<{
    id: string
    equipmentId: string | null
    equipment: string | null
    item: string
    note: string
    stops: boolean
    by: string | null
  }>`
    select * from (
      select distinct on (d.equipment_id, d.item, case when d.equipment_id is null then d.crew_id end)
        d.id, d.equipment_id as "equipmentId", e.name as equipment, d.item, d.note, d.stops, split_part(u.name, ' ', 1) as by, d.found_at
      from truck_defects d
      left join equipment e on e.business_id = d.business_id and e.id = d.equipment_id
      left join users u on u.business_id = d.business_id and u.id = d.user_id
      where d.business_id = ${db.businessId} and d.settled_at is null
      order by d.equipment_id, d.item, case when d.equipment_id is null then d.crew_id end, d.stops desc, d.found_at desc
    ) found order by stops desc, found_at desc limit 20`.execute(db)
  return rows.map(({ id, equipmentId, equipment, item, note, stops, by }) => ({
    id: `defect:${id}`,
    kind: 'defect',
    badge: stops ? 'Do not use' : 'Defect',
    tone: stops ? 'late' : 'wait',
    title: defectTitle({ equipment, item }),
    detail: [by, note].filter(Boolean).join(': '),
    ...open('Look', equipmentId ? linkTo.equipment(equipmentId) : linkTo.equipmentList()),
  }))
}

const whenDue = ({ due, meter }: Equipment, today: Day): string => {
  if (!due) return ''
  const left =
    due.leftTenths === null || meter === null
      ? ''
      : due.leftTenths > 0
        ? `in ${readingText(due.leftTenths, meter)}`
        : `${readingText(-due.leftTenths, meter)} over`
  const on = due.on && due.on !== today ? `${due.foreseen ? 'about ' : ''}${formatDay(due.on)}` : ''
  return [left, due.foreseen && due.leftTenths !== null && due.leftTenths <= 0 ? '' : on].filter(Boolean).join(', ')
}

const needsOf = (one: Equipment, today: Day): Need[] => {
  const path = linkTo.equipment(one.id)
  return [
    ...(one.out && one.crew
      ? [
          {
            id: `outOfService:${one.id}`,
            kind: 'equipment' as const,
            badge: 'Out of service',
            tone: 'late' as const,
            title: `${one.crew.name} has ${one.name}, which is out of service`,
            detail: one.out.reason,
            ...open('Change', path),
          },
        ]
      : []),
    ...(one.doubtedCount > 0
      ? [
          {
            id: `meter:${one.id}`,
            kind: 'equipment' as const,
            badge: 'Meter',
            tone: 'wait' as const,
            title: `${one.name}: a reading does not fit the others`,
            detail: one.reading && one.meter ? `It read ${readingText(one.reading.tenths, one.meter)} before` : '',
            ...open('Look', path),
          },
        ]
      : []),
    ...(one.due && one.due.state !== 'later'
      ? [
          {
            id: `service:${one.id}`,
            kind: 'service' as const,
            badge: 'Service',
            tone: one.due.state === 'overdue' ? ('late' as const) : ('wait' as const),
            title: `${one.name}: ${one.due.what} ${one.due.state === 'overdue' ? 'is overdue' : 'is due soon'}`,
            detail: whenDue(one, today),
            ...open('Look', path),
          },
        ]
      : []),
  ]
}

/** What crews found wrong, what must not be used and is, and what service is due. */
export const listEquipmentNeedsOf = async (db: TenantDb, actor: Actor, today: Day): Promise<Need[]> => [
  ...(await defects(db)),
  ...(await listEquipmentNeeds(db, actor, today)).flatMap((one) => needsOf(one, today)).slice(0, 40),
]
