import { z } from 'zod'
import { areaKinds } from '../../customers/areas/rules.ts'

const text = z.string()
const known = z.number().nullable()

/** What a phone needs to write an application down without a signal: mixes, who may apply, the weather of its days. */
export const CrewChemicals = z.object({
  mixes: z.array(
    z.object({
      id: z.uuid(),
      name: text,
      carrierGallons: known,
      target: text,
      method: text,
      equipment: text,
      products: z.array(
        z.object({
          productId: z.uuid(),
          name: text,
          unit: text,
          rate: z.number(),
          epaNumber: text,
          licenseSkill: text,
          restricted: z.boolean(),
          reentryHours: z.number(),
        }),
      ),
    }),
  ),
  people: z.array(
    z.object({
      id: z.uuid(),
      name: text,
      licenses: z.array(
        z.object({ skill: text, state: text, number: text, validFrom: text.nullable(), expiresOn: text }),
      ),
    }),
  ),
  hours: z.array(
    z.object({
      at: text,
      windMph: known,
      windDegrees: known,
      temperatureF: known,
      cloudPercent: known,
      rainHundredths: known,
    }),
  ),
})
export type CrewChemicals = z.output<typeof CrewChemicals>

/** What a stop says of treatments; a day that is stored on a phone may not know. */
export const StopTreatment = z.object({
  /** One of its services is a treatment. */
  treats: z.boolean(),
  squareFeet: z.number().nullable(),
  /** The areas of the property that were measured; a day that is stored on a phone may not know. */
  areas: z.array(z.object({ kind: z.enum(areaKinds), name: text, squareFeet: z.number() })).optional(),
  /** The mixes that its services are usually done with; a day that is stored on a phone may not know. */
  mixIds: z.array(z.uuid()).optional(),
  /** How many records of it there are. */
  records: z.number(),
  /** It is finished only with a complete record, and has none. */
  needed: z.boolean(),
  /** Until when nobody goes on the lawn; also for who comes to mow. */
  keepOffUntil: text.nullable(),
})
export type StopTreatment = z.output<typeof StopTreatment>

/** What a command carries that writes an application down. The server reads the record by its own contract. */
export const treatPayload = {
  record: z.record(z.string(), z.unknown()).optional(),
  /** Nothing is lacking that the law of the state asks for. */
  whole: z.boolean().optional(),
  /** Times of the record that the phone has from us and that are right as they are; the others are on its own clock. */
  ourTimes: z.array(z.enum(['startedAt', 'endedAt'])).optional(),
  /** finish: why the stop is left without a complete record. */
  noRecord: z.string().trim().max(500).optional(),
  /** The hour of the forecast from which the weather was filled. */
  weatherAt: z.string().max(40).optional(),
}
