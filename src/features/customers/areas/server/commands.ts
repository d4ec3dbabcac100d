import { type Actor, userIdOf } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { invalid } from '../../../../shared/errors.ts'
import type { Property } from '../../contract.ts'
import { propertyRefusals } from '../../rules.ts'
import { lockProperty, setProperty } from '../../server/commands.ts'
import type { AreasInput, PropertyAreas } from '../contract.ts'
import { areaLabel, type Corner, feetAround, lawnOf, type Ring, shapeProblem, squareFeetOf } from '../rules.ts'
import { getAreas, listAreasTx } from './queries.ts'

// A ten-millionth of a degree is a hundredth of a meter: finer is the noise of a finger.
const steady = (degrees: number): number => Math.round(degrees * 1e7) / 1e7
const steadyRing = (ring: Ring): Corner[] => ring.map(([latitude, longitude]) => [steady(latitude), steady(longitude)])

/**
 * Saves the areas of a property as one picture: what is not among them any more is gone. The server measures what was drawn. The turf is the
 * property's lawn size from then on; without any, a typed size stays. Beds and edges are what other services go by.
 * @throws AppError invalid, naming the area that cannot be measured; version_conflict
 */
export const saveAreas = (
  who: Actor,
  propertyId: string,
  input: AreasInput,
): Promise<{ property: Property; areas: PropertyAreas }> =>
  withTenant(who, (db) => saveAreasTx(db, who, propertyId, input))

/** The lawn of a property that is new as a visitor drew it: one area of turf that says so. */
export const addDrawnLawnTx = async (db: TenantDb, who: Actor, propertyId: string, ring: Ring): Promise<void> => {
  const { version } = await lockProperty(db, propertyId)
  const drawn = { kind: 'turf' as const, name: 'Drawn by the visitor', squareFeet: null }
  await saveAreasTx(db, who, propertyId, {
    version,
    areas: [{ ...drawn, feet: null, rings: [steadyRing(ring) as [number, number][]] }],
  })
}

const saveAreasTx = async (
  db: TenantDb,
  who: Actor,
  propertyId: string,
  { version, areas }: AreasInput,
): Promise<{ property: Property; areas: PropertyAreas }> => {
  const row = await lockProperty(db, propertyId)
  requireVersion(row, version, 'this property')
  refuse(propertyRefusals.update({ ...row, currentJobs: 0 }))
  const before = await listAreasTx(db, propertyId)
  const known = new Set(before.map(({ id }) => id))
  const measured = areas.map((area, position) => {
    const rings = area.rings?.map(steadyRing) ?? null
    return {
      id: area.id && known.delete(area.id) ? area.id : newId(),
      kind: area.kind,
      name: area.name,
      position,
      rings,
      squareFeet: rings ? squareFeetOf(rings) : (area.squareFeet ?? 0),
      feetAround: rings ? feetAround(rings) : area.feet,
    }
  })
  const problems = measured.flatMap((area, at) => {
    const message = area.rings ? shapeProblem(areaLabel(area, at), area.rings) : null
    return message ? [{ path: `areas.${at}.rings`, message }] : []
  })
  if (problems.length > 0) throw invalid(problems)
  const now = clock.iso()
  const changedBy = userIdOf(who)
  await db
    .deleteFrom('propertyAreas')
    .where('businessId', '=', db.businessId)
    .where('propertyId', '=', propertyId)
    .execute()
  if (measured.length > 0)
    await db
      .insertInto('propertyAreas')
      .values(
        measured.map((area) => ({
          ...area,
          rings: area.rings ? JSON.stringify(area.rings) : null,
          businessId: db.businessId,
          propertyId,
          changedBy,
          createdAt: now,
          updatedAt: now,
        })),
      )
      .execute()
  const lawn = lawnOf(measured)
  const sizes = (list: readonly { kind: string; name: string; squareFeet: number; feetAround: number | null }[]) =>
    list.map(({ kind, name, squareFeet, feetAround: feet }) => ({ kind, name, squareFeet, feet }))
  await audit(
    db,
    who,
    'property.areas',
    { type: 'property', id: propertyId },
    {
      before: { lawnSquareFeet: row.lawnSquareFeet, areas: sizes(before) },
      after: { lawnSquareFeet: lawn ?? row.lawnSquareFeet, areas: sizes(measured) },
    },
  )
  const property = await setProperty(
    db,
    who,
    row,
    lawn === null
      ? {}
      : { lawnSquareFeet: lawn, lawnMeasuredAt: now, lawnMeasuredBy: changedBy, lawnMeasuredHow: 'areas' },
  )
  return { property, areas: await getAreas(db, propertyId) }
}
