import { en, type Texts } from './textsEn.ts'
import { es } from './textsEs.ts'

export type { Texts } from './textsEn.ts'

export type Language = 'en' | 'es'
export const textsOf = (language: Language): Texts => (language === 'es' ? es : en)
