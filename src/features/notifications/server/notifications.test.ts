import { describe, expect, it } from 'vitest'
import { aBusiness } from '../../../test/factories.ts'
import { notificationsApi } from '../contract.ts'
import { notifyOffice, notifyUsers } from './commands.ts'

describe('notifications', () => {
  it('tells the office once, shows them newest first and marks one, some and all', async () => {
    const business = await aBusiness()
    const employee = await business.employee()
    for (const n of [1, 2, 2, 3])
      await business.db((db) => notifyOffice(db, { type: 'system', title: `News ${n}`, dedupeKey: `news:${n}` }))
    const list = () => business.api.ok(notificationsApi.list, {})
    const first = await list()
    expect([first.unreadCount, first.notifications.map((n) => n.title)]).toEqual([3, ['News 3', 'News 2', 'News 1']])
    expect((await employee.api.ok(notificationsApi.list, {})).notifications).toEqual([])
    const [a, b] = first.notifications
    expect(await business.api.ok(notificationsApi.markRead, { body: { notificationIds: a?._id } })).toEqual({
      updated: 1,
      unreadCount: 2,
    })
    expect(
      await business.api.ok(notificationsApi.markRead, { body: { notificationIds: [a?._id ?? '', b?._id ?? ''] } }),
    ).toEqual({ updated: 1, unreadCount: 1 })
    expect(await business.api.ok(notificationsApi.markRead, { body: {} })).toEqual({ updated: 1, unreadCount: 0 })
    expect((await list()).notifications.every((n) => n.read)).toBe(true)
  })

  it("marks nothing of somebody else's", async () => {
    const business = await aBusiness()
    const employee = await business.employee()
    await business.db((db) => notifyUsers(db, [employee.userId], { type: 'job', title: 'Yours', dedupeKey: 'x' }))
    const { notifications } = await employee.api.ok(notificationsApi.list, {})
    expect(
      await business.api.ok(notificationsApi.markRead, { body: { notificationIds: notifications[0]?._id } }),
    ).toMatchObject({ updated: 0 })
    expect((await employee.api.ok(notificationsApi.list, {})).unreadCount).toBe(1)
  })
})
