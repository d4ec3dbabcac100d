import { z } from 'zod'
import { wasTaken } from '../../features/leads/phone/rules.ts'
import { missCall, takeCall } from '../../features/leads/phone/server/commands.ts'
import { recordDelivery } from '../../features/messages/server/delivery/commands.ts'
import { receiveText } from '../../features/messages/server/inbound/commands.ts'
import { asBusinessId } from '../../platform/db/tenant.ts'
import type { StoredWebhook } from '../../platform/webhooks.ts'

/** Under which name what a played phone posts is kept. */
export const phoneWebhooks = 'local-sms'

const LocalSms = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('reply'),
    businessId: z.uuid(),
    from: z.string(),
    text: z.string(),
    media: z.array(z.object({ ref: z.string(), mime: z.string() })).default([]),
    id: z.string(),
  }),
  z.object({ kind: z.literal('call'), businessId: z.uuid(), from: z.string(), status: z.string(), id: z.string() }),
  z.object({
    kind: z.literal('status'),
    businessId: z.uuid(),
    messageId: z.uuid(),
    status: z.enum(['delivered', 'failed']),
    id: z.string(),
  }),
])

/** Works off what the local phone posted; the same path as a real provider's webhooks. */
export const processLocalSms = async (event: StoredWebhook): Promise<void> => {
  const update = LocalSms.parse(event.payload)
  const businessId = asBusinessId(update.businessId)
  if (update.kind === 'reply')
    return receiveText(businessId, {
      from: update.from,
      body: update.text,
      media: update.media,
      provider: 'local',
      providerId: update.id,
    })
  if (update.kind === 'call')
    return wasTaken(update.status, null)
      ? takeCall(businessId, update.from)
      : missCall(businessId, { id: update.id, from: update.from })
  await recordDelivery(businessId, update.messageId, {
    status: update.status,
    reason: update.status === 'failed' ? 'The phone could not be reached' : null,
    suppressed: null,
  })
}
