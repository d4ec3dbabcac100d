import type { TenantDb } from '../../../platform/db/tenant.ts'
import { notFound } from '../../../shared/errors.ts'
import type { Property } from '../contract.ts'

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
  'version',
  'createdAt',
  'archivedAt',
] as const

/** One property; whether it has a gate code, never the code. */
export const getProperty = async (db: TenantDb, propertyId: string): Promise<Property> => {
  const row = await db
    .selectFrom('properties')
    .select(propertyColumns)
    .select((eb) => [
      eb('gateCodeCipher', 'is not', null).as('hasGateCode'),
      eb('geocodeWantedAt', 'is not', null).as('geocodeWaiting'),
    ])
    .where('businessId', '=', db.businessId)
    .where('id', '=', propertyId)
    .executeTakeFirst()
  if (!row) throw notFound('property')
  return row as Property
}

/** The properties of a customer, archived ones last. */
export const listProperties = async (db: TenantDb, customerId: string): Promise<Property[]> =>
  (await db
    .selectFrom('properties')
    .select(propertyColumns)
    .select((eb) => [
      eb('gateCodeCipher', 'is not', null).as('hasGateCode'),
      eb('geocodeWantedAt', 'is not', null).as('geocodeWaiting'),
    ])
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .orderBy((eb) => eb('archivedAt', 'is not', null))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()) as Property[]
