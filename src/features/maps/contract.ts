import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { type MapSettings, mapSettingsPath, visitorMapSettingsPath } from '../../shared/maps.ts'

const Pictures = z.object({
  url: z.string(),
  tileSize: z.number().int(),
  minZoom: z.number().int(),
  maxZoom: z.number().int(),
  attribution: z.string(),
})

const Settings = z.object({
  streets: z.object({ kind: z.enum(['address', 'pmtiles']), url: z.string() }).nullable(),
  satellite: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('tiles'), layers: z.array(Pictures) }),
      z.object({ kind: z.literal('google'), url: z.string(), key: z.string() }),
    ])
    .nullable(),
}) satisfies z.ZodType<MapSettings>

export const mapsApi = {
  settings: endpoint({
    method: 'GET',
    path: mapSettingsPath,
    access: 'member',
    response: Settings,
    summary: 'What maps are drawn with: streets, pictures from above, or neither',
  }),
  visitorSettings: endpoint({
    method: 'GET',
    path: visitorMapSettingsPath,
    access: 'public',
    response: Settings,
    summary: 'The same for a visitor who draws a lawn on the page of a business',
  }),
}
