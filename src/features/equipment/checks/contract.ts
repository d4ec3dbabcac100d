import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint, type PhotoBody } from '../../../shared/endpoint.ts'
import { page } from '../../../shared/list.ts'
import { largestUpload } from '../../files/rules.ts'
import { equipmentKinds, highestTenths, meters } from '../rules.ts'
import { checkAsks, itemSubjects, mostDefectPhotos, mostItems } from './rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')

export const CheckItem = z.object({
  id: z.string().min(1).max(40),
  en: z.string().trim().min(1, 'What is looked at?').max(60),
  /** Empty shows the English words. */
  es: z.string().trim().max(60),
  of: z.enum(itemSubjects),
})

/** What a crew's phone shows of the check of a day; only for a crew that has equipment. */
export const CrewCheck = z.object({
  asks: z.enum(checkAsks),
  items: z.array(CheckItem),
  equipment: z.array(
    z.object({
      id: z.uuid(),
      kind: z.enum(equipmentKinds),
      name: z.string(),
      meter: z.enum(meters).nullable(),
      tenths: z.number().int().nullable(),
      /** When it read that. */
      readOn: Day.nullable(),
      /** Out of service, with why. */
      out: z.string().nullable(),
    }),
  ),
  /** Who did it, and when. */
  done: z.object({ by: z.string(), at: z.string() }).nullable(),
})
export type CrewCheck = z.output<typeof CrewCheck>

/** What a phone's command of a check carries. */
export const truckCheckPayload = {
  truckCheck: z
    .object({
      readings: z
        .array(z.object({ equipmentId: z.uuid(), tenths: z.number().int().min(0).max(highestTenths) }))
        .max(50),
      answers: z
        .array(
          z.object({
            equipmentId: z.uuid().nullable(),
            /** In the words that stood there. */
            item: z.string().trim().min(1).max(80),
            ok: z.boolean(),
            /** Of what is not: made by the phone, because photos follow. */
            defect: z
              .object({
                id: z.uuid(),
                note: z.string().trim().max(500),
                stops: z.boolean(),
                photoIds: z.array(z.uuid()).max(mostDefectPhotos),
              })
              .optional(),
          }),
        )
        .max(300),
    })
    .optional(),
}
export type TruckCheck = NonNullable<z.output<(typeof truckCheckPayload)['truckCheck']>>

export const TruckDefect = z.object({
  id: z.uuid(),
  crew: z.object({ id: z.uuid(), name: z.string(), color: z.string() }).nullable(),
  equipment: z
    .object({
      id: z.uuid(),
      name: z.string(),
      out: z.boolean(),
      /** What keeps it out of service whatever becomes of this defect: another one, or the office's own reason. */
      keptOut: z.string().nullable(),
    })
    .nullable(),
  item: z.string(),
  note: z.string(),
  /** The crew says that it cannot be used like this. */
  stops: z.boolean(),
  by: z.string().nullable(),
  foundAt: z.string(),
  /** Without an address while it is still on its way. */
  photos: z.array(z.object({ id: z.uuid(), url: z.string().nullable() })),
  settled: z.object({ at: z.string(), by: z.string().nullable(), note: z.string() }).nullable(),
})
export type TruckDefect = z.output<typeof TruckDefect>

export const CheckSettings = z.object({
  asks: z.enum(checkAsks),
  items: z.array(CheckItem).max(mostItems, `At most ${mostItems} items.`),
})

const change = { access: 'office', permission: 'schedule', idempotent: true } as const
const Saved = CheckSettings.extend({ version: z.number().int() })

export const checksApi = {
  settings: endpoint({ method: 'GET', path: '/api/truck-check', access: 'office', response: Saved }),
  saveSettings: endpoint({
    ...change,
    method: 'PUT',
    path: '/api/truck-check',
    body: CheckSettings.extend({ version: z.number().int() }),
    response: Saved,
    summary: 'What crews look at before their day, and when they are asked',
  }),
  day: endpoint({
    method: 'GET',
    path: '/api/truck-checks',
    access: 'office',
    query: z.object({ day: Day.optional() }),
    response: z.object({
      day: Day,
      crews: z.array(
        z.object({
          crew: z.object({ id: z.uuid(), name: z.string(), color: z.string() }),
          check: z
            .object({ by: z.string(), at: z.string(), looked: z.number().int(), wrong: z.number().int() })
            .nullable(),
        }),
      ),
    }),
    summary: 'Who of the crews with equipment has done its check of a day',
  }),
  defects: endpoint({
    method: 'GET',
    path: '/api/truck-defects',
    access: 'office',
    query: z.object({ equipmentId: z.uuid().optional(), settled: z.stringbool().default(false), ...page(50) }),
    response: z.object({ items: z.array(TruckDefect), nextCursor: z.string().nullable() }),
    summary: 'What crews found wrong, the newest first',
  }),
  settle: endpoint({
    ...change,
    method: 'POST',
    path: '/api/truck-defects/:defectId/settle',
    params: z.object({ defectId: z.uuid() }),
    body: z.object({
      note: z.string().trim().max(500).default(''),
      /** The equipment that it took out is in service again. */
      back: z.boolean().default(false),
    }),
    response: TruckDefect,
    summary: 'A defect is dealt with; what it took out is back only where nothing else keeps it out',
  }),
  addPhoto: endpoint({
    method: 'POST',
    path: '/api/crew/truck-defects/:defectId/photos',
    access: 'member',
    bodyLimitBytes: largestUpload,
    params: z.object({ defectId: z.uuid() }),
    query: z.object({ id: z.uuid() }),
    body: z.any() as z.ZodType<PhotoBody>,
    response: z.object({ id: z.uuid() }),
    summary:
      'A photo of one’s own defect as raw image/jpeg, image/png or image/webp; a repeat with the same id answers the first',
  }),
}
