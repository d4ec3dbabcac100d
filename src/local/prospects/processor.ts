import { z } from 'zod'
import { receiveProspectText, recordProspectDelivery } from '../../features/desk/server/commands.ts'
import type { StoredWebhook } from '../../platform/webhooks.ts'

/** Under which name what the played phone of a prospect posts is kept. */
export const prospectWebhooks = 'local-prospects'

const Local = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('text'),
    from: z.string(),
    text: z.string(),
    media: z.array(z.object({ ref: z.string(), mime: z.string() })).default([]),
    id: z.string(),
  }),
  z.object({
    kind: z.literal('status'),
    messageId: z.uuid(),
    status: z.enum(['delivered', 'failed', 'read']),
    id: z.string(),
  }),
])

/** Works off what the local phone of a prospect posted. */
export const processLocalProspects = async (event: StoredWebhook): Promise<void> => {
  const update = Local.parse(event.payload)
  if (update.kind === 'text')
    await receiveProspectText({
      from: update.from,
      body: update.text,
      media: update.media,
      provider: 'local',
      providerId: update.id,
    })
  else
    await recordProspectDelivery(update.messageId, {
      status: update.status,
      reason: update.status === 'failed' ? 'The phone could not be reached' : null,
      suppressed: null,
    })
}
