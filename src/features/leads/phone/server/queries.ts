import { config } from '../../../../platform/config.ts'
import { asBusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { countUse } from '../../../../platform/http/rate-limit.ts'
import { log } from '../../../../platform/log.ts'
import { leadAddress, voiceToken } from '../../../../platform/mail/addresses.ts'
import { askingIn, type StrangerMail } from '../../../../platform/mail/inbound.ts'
import { twilioSettings } from '../../../../platform/sms/twilio.ts'
import { AppError } from '../../../../shared/errors.ts'
import { ownAddresses } from '../../../messages/server/inbound/commands.ts'
import { type LeadWays, voiceApi } from '../contract.ts'
import { usualTexts } from '../rules.ts'

const hour = 3600

/**
 * Whether a mail of somebody becomes a lead. What machines write never does, nor what comes in a flood: it is taken from the mail server all the same, so that
 * it does not come again.
 */
export const takesLeadMail = async (businessId: string, mail: StrangerMail): Promise<boolean> => {
  if (mail.isBulk || (mail.text === '' && mail.subject === '')) return false
  const from = await withTenant({ businessId: asBusinessId(businessId) }, async (db) => {
    const business = await db
      .selectFrom('businesses')
      .select('closedAt')
      .where('businessId', '=', db.businessId)
      .executeTakeFirst()
    if (!business || business.closedAt !== null || !(await getKeptWays(db)).mailOn) return null
    const own = await ownAddresses(db, [mail.from, ...(mail.replyTo ? [mail.replyTo.address] : [])])
    return askingIn(mail, (address) => own.has(address))?.address ?? null
  })
  if (from === null) return false
  try {
    await countUse(`lead-mail:${businessId}:${from}`, 10, hour)
    await countUse(`lead-mail:${businessId}`, 120, hour)
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.warn({ businessId }, 'too much mail of strangers came at once, and was left out')
    return false
  }
}

export type KeptWays = Omit<LeadWays, 'mailAddress' | 'voiceUrl'>

const usual: KeptWays = {
  mailOn: true,
  callNumber: null,
  forwardTo: null,
  ringSeconds: 18,
  pressKey: false,
  textOn: false,
  textEn: usualTexts.en,
  textEs: usualTexts.es,
  strangerLanguage: 'en',
  version: 0,
}

/** What holds for mail and calls; a business that said nothing takes mail, and no calls. */
export const getKeptWays = async (db: TenantDb): Promise<KeptWays> => {
  const row = await db.selectFrom('leadWays').selectAll().where('businessId', '=', db.businessId).executeTakeFirst()
  if (!row) return usual
  const { businessId: _, updatedAt: __, ...kept } = row
  return kept
}

/** An address of ours that the provider of the phone calls for this business. */
export const voiceUrl = (businessId: string, path: string): string =>
  `${config.publicUrl}${path}?k=${voiceToken(businessId)}`

/** @param shows false for who only looks: the addresses are a way in */
export const getLeadWays = async (db: TenantDb, shows: boolean): Promise<LeadWays> => ({
  ...(await getKeptWays(db)),
  mailAddress: shows ? leadAddress(db.businessId) : null,
  voiceUrl: shows && twilioSettings(config) ? voiceUrl(db.businessId, voiceApi.dialed.path) : null,
})
