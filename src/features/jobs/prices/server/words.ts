import type { Day } from '../../../../shared/dates.ts'
import { letterMail, letterText } from '../../letters/server/templates.ts'
import { type NoticeLine, priceLetter, priceNotice } from './templates.ts'

/** What a customer is told of a change of prices, by whatever made it. */

type From = { name: string; brandColor?: string | undefined; phone: string | null }
export type Notice = { name: string; fromOn: Day; writtenOn: Day; lines: readonly NoticeLine[]; language: 'en' | 'es' }

/** As a text message. */
export const noticeText = (kind: string, business: string, { language, ...told }: Notice): string =>
  kind === 'letter' ? letterText(business, told, language) : priceNotice(business, told, language)

/** As a mail. */
export const noticeMail = (kind: string, from: From, { language, ...told }: Notice) =>
  kind === 'letter'
    ? letterMail(from, told, language)
    : priceLetter(from, priceNotice(from.name, told, language), language)
