import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../shared/can.ts'
import { notFound } from '../../../shared/errors.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../areas/server/queries.ts'
import { customersApi, type Property } from '../contract.ts'
import { type PropertyAction, propertyRefusals } from '../rules.ts'

const propertyColumns = [
  'id',
  'customerId',
  'street',
  'unit',
  'city',
  'state',
  'zip',
  'latitude',
  'longitude',
  'geocodeQuality',
  'geocodeNote',
  'lawnSquareFeet',
  'difficulty',
  'dog',
  'parking',
  'noGo',
  'mowHeightInches',
  'clippings',
  'notes',
  'custom',
  'version',
  'createdAt',
  'archivedAt',
] as const

const columnsOf = (db: TenantDb) =>
  db
    .selectFrom('properties')
    .select(propertyColumns)
    .select((eb) => [
      eb('gateCodeCipher', 'is not', null).as('hasGateCode'),
      // each writing is encrypted anew, so the same code has another mark too
      sql<string | null>`left(md5(gate_code_cipher), 12)`.as('gateCodeMark'),
      eb('geocodeWantedAt', 'is not', null).as('geocodeWaiting'),
      bedSquareFeetOf('properties').as('bedSquareFeet'),
      edgeFeetOf('properties').as('edgeFeet'),
      eb
        .selectFrom('jobs')
        .select((jobs) => jobs.fn.countAll<number>().as('count'))
        .whereRef('jobs.businessId', '=', 'properties.businessId')
        .whereRef('jobs.propertyId', '=', 'properties.id')
        .where('jobs.status', 'in', ['draft', 'active', 'paused'])
        .where('jobs.archivedAt', 'is', null)
        .as('currentJobs'),
    ])
    .where('properties.businessId', '=', db.businessId)

/** A property for nobody in particular; whether it has a gate code, never the code. */
export type PropertyContent = Omit<Property, 'can'> & { currentJobs: number }

export const getPropertyContent = async (db: TenantDb, propertyId: string): Promise<PropertyContent> => {
  const row = await columnsOf(db).where('properties.id', '=', propertyId).executeTakeFirst()
  if (!row) throw notFound('property')
  return row as PropertyContent
}

const needs: Record<PropertyAction, Need> = {
  update: customersApi.updateProperty,
  locate: customersApi.setLocation,
  archive: customersApi.archiveProperty,
  unarchive: customersApi.unarchiveProperty,
}

/** A property with what a person may do with it. */
export const propertyFor = (actor: Actor, { currentJobs, ...property }: PropertyContent): Property => ({
  ...property,
  can: canOf(actor, needs, propertyRefusals, { ...property, currentJobs }),
})

/** One property. @throws AppError not_found */
export const getProperty = async (db: TenantDb, actor: Actor, propertyId: string): Promise<Property> =>
  propertyFor(actor, await getPropertyContent(db, propertyId))

/** The properties of a customer, archived ones last. */
export const listProperties = async (db: TenantDb, customerId: string): Promise<PropertyContent[]> =>
  (await columnsOf(db)
    .where('properties.customerId', '=', customerId)
    .orderBy((eb) => eb('properties.archivedAt', 'is not', null))
    .orderBy('properties.createdAt')
    .orderBy('properties.id')
    .execute()) as PropertyContent[]
