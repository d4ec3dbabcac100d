import { chemicalsApi } from '../features/chemicals/contract.ts'
import { clock } from '../platform/clock.ts'
import type { Api } from './api.ts'
import type { TestBusiness } from './factories.ts'
import { today } from './field.ts'

/** Products, a mix and what a record of it says. */

export const aProduct = (api: Api, more: object = {}) =>
  api.ok(chemicalsApi.addProduct, {
    body: {
      name: 'Trimec Classic',
      epaNumber: '2217-543',
      formulation: 'Liquid concentrate',
      signalWord: 'danger',
      licenseSkill: 'Applicator',
      reentryHours: 24,
      unit: 'fl oz',
      labelUrl: 'https://labels.example/trimec.pdf',
      ...more,
    },
  })

export const aMix = (api: Api, productId: string, more: object = {}) =>
  api.ok(chemicalsApi.addMix, {
    body: {
      name: 'Weed control',
      carrierGallons: 1.5,
      target: 'Dollarweed',
      method: 'Broadcast spray',
      equipment: 'Z-Spray 1',
      products: [{ productId, rate: 1.5 }],
      ...more,
    },
  })

export const ago = (minutes: number): string => new Date(clock.nowMs() - minutes * 60_000).toISOString()

export const aRecord = (productId: string, applicatorId: string, more: object = {}) => ({
  mix: 'Weed control',
  areaName: 'Front and back lawn',
  areaSquareFeet: 8000,
  startedAt: ago(40),
  endedAt: ago(20),
  products: [{ productId, rate: 1.5, amount: 12 }],
  carrierGallons: 12,
  target: 'Dollarweed',
  method: 'Broadcast spray',
  equipment: 'Z-Spray 1',
  weather: { windMph: 4, windFrom: 'SW' as const, temperatureF: 78, sky: 'Clear', source: 'typed' as const },
  soil: 'Dry',
  applicatorId,
  supervisorId: null,
  signPosted: true,
  noticeLeft: 'Door hanger',
  neighborsTold: '',
  incident: '',
  disposal: '',
  signature: 'Luis Ortega',
  ...more,
})

/** The lawns of a business are treated instead of mowed. */
export const treatLawns = (business: TestBusiness, lawnSquareFeet: number | null = 8000): Promise<unknown> =>
  business.db(async (db) => {
    await db.updateTable('services').set({ category: 'treat' }).where('businessId', '=', business.id).execute()
    await db.updateTable('properties').set({ lawnSquareFeet }).where('businessId', '=', business.id).execute()
  })

export const aLicense = (more: object = {}) => ({
  skill: 'applicator',
  number: 'GA-1234',
  state: 'GA',
  expiresOn: today(),
  ...more,
})
