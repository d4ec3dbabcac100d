import { en } from './words-en.ts'
import { es } from './words-es.ts'

export type { PortalTexts } from './words-en.ts'

export const portalTexts = { en, es }
