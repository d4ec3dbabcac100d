import { z } from 'zod'
import { type BinaryBody, endpoint, type PhotoBody } from '../../../shared/endpoint.ts'
import { largestUpload } from '../../files/rules.ts'
import { measures } from '../../services/measures/rules.ts'
import { quoteStatuses } from '../rules.ts'
import {
  leastNotedQuantity,
  mostNotedFeet,
  mostNotedLines,
  mostNotedPhotos,
  mostNotedQuantity,
  mostNotedSquareFeet,
} from './rules.ts'

/** What a crew noted for a quote, without anything about money. */
export const CrewQuote = z.object({
  id: z.uuid(),
  number: z.number().int(),
  street: z.string(),
  services: z.array(z.string()),
  /** The same for who reads Spanish; left out where none has a Spanish name. */
  servicesEs: z.array(z.string()).optional(),
  status: z.enum(quoteStatuses),
  createdAt: z.string(),
})
export type CrewQuote = z.output<typeof CrewQuote>

const Noted = z.object({
  propertyId: z.uuid(),
  lines: z
    .array(
      z.object({
        serviceId: z.uuid(),
        quantity: z.number().positive().max(mostNotedQuantity).multipleOf(leastNotedQuantity).default(1),
        /** Of the lawn, or of the beds where the service goes by them. */
        squareFeet: z.number().int().min(1).max(mostNotedSquareFeet).nullable().default(null),
        /** Of the edges where the service goes by them. */
        feet: z.number().int().min(1).max(mostNotedFeet).nullable().default(null),
      }),
    )
    .min(1, 'Choose at least one service.')
    .max(mostNotedLines),
  note: z.string().trim().max(2000).default(''),
})

/** What a phone that may have no signal noted for a quote; its photos follow, by the id of the command. */
export const notedPayload = {
  noted: Noted.extend({
    /** Photos that an older version had sent before the quote. */
    photoIds: z.array(z.uuid()).max(mostNotedPhotos).optional(),
  }).optional(),
}

export const crewQuotesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/crew-quotes',
    access: 'member',
    response: z.object({
      /** Where who asks works today. */
      places: z.array(
        z.object({
          propertyId: z.uuid(),
          street: z.string(),
          city: z.string(),
          lawnSquareFeet: z.number().int().nullable(),
          bedSquareFeet: z.number().int().nullable(),
          edgeFeet: z.number().int().nullable(),
          areas: z.array(z.object({ name: z.string(), kind: z.string(), squareFeet: z.number().int() })),
        }),
      ),
      services: z.array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          /** What is kept on a phone may not know it. */
          nameEs: z.string().optional(),
          measuredBy: z.enum(measures),
        }),
      ),
      items: z.array(CrewQuote),
    }),
    summary: 'Where a quote can be noted today, what can be noted, and what was',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/crew-quotes',
    access: 'member',
    idempotent: true,
    body: Noted.extend({
      photoIds: z.array(z.uuid()).max(mostNotedPhotos, 'At most six photos.').default([]),
    }),
    response: CrewQuote,
    summary: 'Services, areas and photos noted on site; the office prices them',
  }),
  addPhoto: endpoint({
    method: 'POST',
    path: '/api/crew-quotes/photos',
    access: 'member',
    idempotent: 'steps',
    bodyLimitBytes: 15 * 1024 * 1024,
    body: z.any() as z.ZodType<BinaryBody>,
    response: z.object({ id: z.uuid() }),
    summary: 'A photo for what is noted',
  }),
  addNotedPhoto: endpoint({
    method: 'POST',
    path: '/api/crew-quotes/:id/photos',
    access: 'member',
    bodyLimitBytes: largestUpload,
    params: z.object({ id: z.uuid() }),
    query: z.object({ id: z.uuid() }),
    body: z.any() as z.ZodType<PhotoBody>,
    response: z.object({ id: z.uuid() }),
    summary: 'A photo of what one noted, after it; a repeat with the same id answers the first',
  }),
}
