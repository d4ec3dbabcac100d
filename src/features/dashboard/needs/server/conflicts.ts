import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../../platform/links.ts'
import { dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { hubPath } from '../../../../shared/paths.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { conflictGroup } from '../../../crewapp/conflicts/server/queries.ts'
import {
  type ConflictKind,
  conflictKindOf,
  conflictTitle,
  type HeldType,
  isOutOfPlace,
} from '../../../crewapp/rules.ts'
import { type CrewSale, saleCents, saleTitle } from '../../../extras/sales/rules.ts'
import type { ServiceUnit } from '../../../services/rules.ts'
import type { Need } from '../../contract.ts'

type Row = {
  commandId: string
  photoCount: number
  heldFiles: string[]
  /** Of the visit itself, the newest first. */
  visitFiles: string[]
  /** The photo of the check, of money. */
  checkFile: string | null
  method: string | null
  checkNumber: string | null
  tipCents: number | null
  /** Whose street it was, where only one customer has it. */
  payer: { id: string; name: string } | null
  visitId: string
  jobId: string | null
  type: HeldType
  reason: string
  name: string
  street: string | null
  cents: number | null
  thing: string
  from: string
  until: string
  isGone: boolean
  sale: CrewSale | null
  serviceName: string | null
  serviceUnit: ServiceUnit | null
}

const many = (count: number): string => (count === 1 ? '1 photo' : `${count} photos`)

/** When it was, on the business's clock: what the phone kept is told before anybody decides. */
const spanOf = ({ from, until }: Row, timeZone: string): string => {
  const day = formatDay(dayOf(from, timeZone))
  const [first, last] = [formatTime(from, timeZone), formatTime(until, timeZone)]
  return first === last ? `${day}, ${first}.` : `${day}, ${first} to ${last}.`
}

/** "Hedge trimming, 2 hours, signed by Rebecca Odom." */
const soldOf = ({ sale, serviceName, serviceUnit }: Row): string => {
  if (!sale) return ''
  const title = saleTitle(serviceName ?? 'Extra work', sale.quantity, serviceUnit ?? 'visit')
  const isSigned = sale.way === 'signature' && sale.strokes.length > 0
  const note = sale.note.trim()
  return `${title}${isSigned ? `, signed by ${sale.signer || 'the customer'}` : ''}${note ? ` (${note})` : ''}.`
}

/** "Check 1042, $5.00 of it a tip."; the way alone for who may not see money. */
const paidBy = ({ method, checkNumber, tipCents }: Row, seesMoney: boolean): string => {
  if (!seesMoney) return method === 'check' ? 'A check.' : 'Cash.'
  const how = method === 'check' ? `Check${checkNumber ? ` ${checkNumber}` : ''}` : 'Cash'
  return `${how}${tipCents ? `, ${formatCents(tipCents)} of it a tip` : ''}.`
}

const detailOf = (row: Row, kind: ConflictKind, timeZone: string, seesMoney: boolean): string => {
  if (kind === 'goneSale')
    return `${spanOf(row, timeZone)} ${soldOf(row)} Nothing is billed: there is no visit for it any more. Put the work down for the customer, then say so here.`
  if (kind === 'extra' && row.sale) return `${soldOf(row)} Nothing is billed yet. Decide whether it counts.`
  if (kind === 'collect') return 'The money is not booked yet. Decide whether it counts.'
  if (kind === 'extra') return 'What the crew found and its photos are kept. Decide whether it counts.'
  if (kind === 'treat') return 'The record is kept as it was typed and is not on file yet. Decide whether it counts.'
  if (kind === 'goneMoney')
    return `${spanOf(row, timeZone)} ${paidBy(row, seesMoney)} The money is not booked: there is no visit any more that says whose it is. Say whose, and it is booked.`
  const count = isOutOfPlace(row.reason) ? row.heldFiles.length : row.photoCount
  const kept = `The time ${count === 0 ? 'is' : `and ${many(count)} are`} kept.`
  return `${spanOf(row, timeZone)} ${kept} Decide what counts.`
}

/** The most photos that a question shows. */
const mostShown = 6

/**
 * What crews reported and visits do not have, until somebody of the office decides, however long that takes; each thing by itself. Whatever else is
 * done with the visit decides nothing.
 */
export const conflicts = async (db: TenantDb, seesMoney: boolean): Promise<Need[]> => {
  const { rows } = await sql<Row>`
    with open as (
      select k.*, ${conflictGroup('k')} as thing,
        min(k.happened_at) over (partition by k.visit_id, ${conflictGroup('k')}) as from_at,
        max(k.happened_at) over (partition by k.visit_id, ${conflictGroup('k')}) as until_at
      from crew_commands k
      where k.business_id = ${db.businessId} and k.result = 'conflict' and k.decided_at is null and k.visit_id is not null and k.type <> 'treat'
    ), things as (
      select distinct on (k.visit_id, k.thing) k.* from open k
      order by k.visit_id, k.thing, (k.type in ('finish', 'skip')) desc, k.received_at desc
    )
    select k.id as "commandId", k.thing, (k.payload->>'amountCents')::int as cents, k.visit_id as "visitId", k.type, k.payload->'sale' as sale, s.name as "serviceName", s.unit as "serviceUnit", coalesce(k.reason, '') as reason,
      k.from_at as "from", k.until_at as "until", v.id is null as "isGone", v.job_id as "jobId", split_part(u.name, ' ', 1) as name, coalesce(p.street, k.payload->>'label') as street,
      (select count(*)::int from visit_photos x where x.business_id = k.business_id and x.visit_id = k.visit_id) as "photoCount",
      array(select h.file_id from held_photos h where h.business_id = k.business_id and h.visit_id = k.visit_id and h.command_id is null order by h.taken_at limit 40) as "heldFiles",
      array(select x.file_id from visit_photos x where x.business_id = k.business_id and x.visit_id = k.visit_id order by x.taken_at desc nulls last limit ${mostShown}) as "visitFiles",
      (select h.file_id from held_photos h where h.business_id = k.business_id and h.command_id = k.id) as "checkFile",
      k.payload->>'method' as method, k.payload->>'checkNumber' as "checkNumber", (k.payload->>'tipCents')::int as "tipCents",
      case when v.id is null and k.type = 'collect' then (
        select case when count(*) = 1 then json_build_object('id', min(c.id::text), 'name', min(c.name)) end from customers c
        where c.business_id = k.business_id and c.id in (
          select q.customer_id from properties q where q.business_id = k.business_id and lower(q.street) = lower(k.payload->>'label'))
      ) end as payer
    from things k
    left join visits v on v.business_id = k.business_id and v.id = k.visit_id
    left join properties p on p.business_id = v.business_id and p.id = v.property_id
    left join services s on s.business_id = k.business_id and s.id::text = k.payload->'sale'->>'serviceId'
    join users u on u.business_id = k.business_id and u.id = k.user_id
    order by k.received_at desc
    limit 20`.execute(db)
  if (rows.length === 0) return []
  const timeZone = await timeZoneOf(db)
  return rows.map((row) => {
    const about = conflictKindOf(row.type, row.isGone)
    const path = row.jobId ? linkTo.job(row.jobId, { visitId: row.visitId }) : hubPath('jobs', 'manage')
    const photos =
      about === 'work' || about === 'gone' || about === 'goneSale'
        ? (row.heldFiles.length > 0 ? row.heldFiles : row.visitFiles)
            .slice(0, mostShown)
            .map((fileId) => signedFilePath(db.businessId, fileId))
        : row.checkFile
          ? [signedFilePath(db.businessId, row.checkFile)]
          : []
    return {
      ...(!row.isGone ? { visitId: row.visitId } : {}),
      id: `conflict:${row.visitId}:${row.thing}`,
      kind: 'conflict',
      badge: 'Conflict',
      tone: 'late',
      // it may have been deleted after it went to another crew
      title: conflictTitle(row.isGone ? { ...row, reason: 'not_found' } : row),
      detail: detailOf(row, about, timeZone, seesMoney),
      amountCents: seesMoney ? (row.sale ? saleCents(row.sale.quantity, row.sale.unitCents) : row.cents) : null,
      path,
      action:
        (about === 'collect' || about === 'goneMoney') && !seesMoney
          ? { kind: 'open', label: 'Look', path }
          : {
              kind: 'decide',
              label: 'Decide',
              commandId: row.commandId,
              about,
              photos,
              ...(about === 'goneMoney' && row.payer ? { payer: row.payer } : {}),
              ...(row.sale?.strokes.length
                ? { signature: { signer: row.sale.signer, strokes: row.sale.strokes } }
                : {}),
            },
    }
  })
}
