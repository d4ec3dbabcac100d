import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { noteParts } from '../visits/notes/rules.ts'
import { longestPhrase, mostPhrases } from './rules.ts'

export const Phrase = z.object({
  id: z.string().min(1).max(40),
  part: z.enum(noteParts),
  en: z.string().trim().min(1, 'What does it say?').max(longestPhrase),
  /** Empty: the English words. */
  es: z.string().trim().max(longestPhrase),
})

export const StopSettings = z.object({
  phrases: z.array(Phrase).max(mostPhrases, `At most ${mostPhrases} phrases.`),
})

const Saved = StopSettings.extend({ version: z.number().int() })

export const stopsApi = {
  settings: endpoint({ method: 'GET', path: '/api/stop-settings', access: 'office', response: Saved }),
  saveSettings: endpoint({
    method: 'PUT',
    path: '/api/stop-settings',
    access: 'office',
    permission: 'settings',
    idempotent: true,
    body: StopSettings.partial().extend({ version: z.number().int() }),
    response: Saved,
    summary: 'What crews may say at a stop by a tap',
  }),
}
