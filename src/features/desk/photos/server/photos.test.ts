import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import { writeMail } from '../../../../local/mail/mime.ts'
import { postMail } from '../../../../local/mail/post.ts'
import { localProspectsApi } from '../../../../local/prospects/contract.ts'
import { withProspects } from '../../../../platform/db/prospects.ts'
import { returnAddress } from '../../../../platform/mail/addresses.ts'
import { type Api, runTasks, stranger, testServer } from '../../../../test/api.ts'
import { anOwner, aProspect } from '../../../../test/prospects.ts'
import { deskApi } from '../../contract.ts'
import { fetchProspectPhotos } from './commands.ts'

const asPicture = { 'content-type': 'image/jpeg' }
let owner: Api
let photo: Buffer
beforeAll(async () => {
  owner = await anOwner()
  await withProspects((db) => db.updateTable('settings').set({ postalAddress: '1 Mill Rd' }).execute())
  photo = await sharp({ create: { width: 120, height: 90, channels: 3, background: '#4a7' } })
    .jpeg()
    .toBuffer()
})

const textsOf = async (leadId: string) => (await owner.ok(deskApi.texts, { params: { leadId } })).smsMessages
const get = (url = '') => stranger.raw({ method: 'GET', url })

it('photos of a prospect’s text stand in their conversation, once, and open without a session for a span', async () => {
  const leadId = await aProspect({ phone: '(912) 555-0171' })
  const medium = await owner.ok(localProspectsApi.addMedium, { query: {}, body: photo }, asPicture)
  const broken = await owner.ok(localProspectsApi.addMedium, { query: {}, body: Buffer.from('none') }, asPicture)
  const video = { ref: 'none', mime: 'video/mp4' }
  await owner.ok(localProspectsApi.act, { body: { kind: 'text', leadId, text: '', media: [medium, broken, video] } })
  await runTasks()
  const [text] = await textsOf(leadId)
  expect([text?.message, text?.photos.length, text?.direction]).toEqual(['(2 photos and a video)', 1, 'inbound'])
  expect(text?.notKept).toBe(
    'A video came with it and cannot be shown here: ask for it by e-mail, or as a photo. ' +
      'A photo came with it and is not here: we cannot read this kind (image/jpeg). Ask them to send it again.',
  )
  await fetchProspectPhotos(text?._id ?? '', [medium], null)
  expect((await textsOf(leadId))[0]?.photos).toHaveLength(1)
  const url = text?.photos[0]?.url ?? ''
  const shown = await get(url)
  expect([shown.status, shown.headers['content-type'], shown.headers['x-robots-tag']]).toEqual([
    200,
    'image/jpeg',
    'noindex, nofollow',
  ])
  expect((await get(text?.photos[0]?.smallUrl)).headers['content-type']).toBe('image/jpeg')
  expect((await get(`${url.slice(0, -4)}AAAA`)).status).toBe(404)
  // what is taken out of the conversation opens no more
  await owner.ok(deskApi.removeMessage, {
    params: { leadId },
    body: { messageId: text?._id ?? '', messageType: 'sms' },
  })
  expect((await get(url)).status).toBe(404)
})

it('files of a prospect’s answer by mail stand under it, and a PDF is only saved', async () => {
  const email = 'beds@oak.example'
  const leadId = await aProspect({ phone: '(912) 555-0172', email })
  await owner.ok(deskApi.sendEmail, { params: { leadId }, body: { subject: 'Hello', message: 'How many lawns?' } })
  await runTasks()
  const [sent] = (await owner.ok(deskApi.emails, { params: { leadId } })).emailMessages
  const raw = await writeMail({
    from: email,
    fromName: '',
    to: 'x@in.swath.example',
    subject: 'Re: Hello',
    text: 'See here.',
    files: [
      { name: 'list.pdf', mime: 'application/pdf', base64: Buffer.from('%PDF-1.4 x').toString('base64') },
      { name: 'list.xlsx', mime: 'application/zip', base64: Buffer.from('PK').toString('base64') },
    ],
  })
  expect(await postMail(await testServer(), returnAddress('reply', sent?._id ?? '') ?? '', raw)).toBe(true)
  await runTasks()
  const [mail] = (await owner.ok(deskApi.emails, { params: { leadId } })).emailMessages
  expect(mail).toMatchObject({
    message: 'See here.',
    files: [{ name: 'list.pdf' }],
    notKept: 'A file of this mail was not kept: neither a photo nor a PDF. Ask for what is missing.',
  })
  const saved = await get(mail?.files[0]?.url)
  expect([saved.status, saved.headers['content-disposition']]).toEqual([200, "attachment; filename*=UTF-8''list.pdf"])
  expect(await withProspects((db) => db.selectFrom('messageFiles').select('id').execute())).not.toEqual([])
})
