import { screen } from '@testing-library/react'
import { afterEach, it } from 'vitest'
import { show } from '../../../../ui/testing/show.tsx'
import { useQuoteDraft } from './draft.ts'

const Noted = ({ userId }: { userId: string }) => {
  const { kept, set, clear } = useQuoteDraft(userId)
  return (
    <>
      <p>{`${kept.propertyId} ${kept.note} ${Object.keys(kept.picked).join()} ${kept.photos.length + kept.photoIds.length}`}</p>
      <button
        type="button"
        onClick={() =>
          set(() => ({ propertyId: 'p1', note: 'Two beds', picked: { mulch: { squareFeet: '', quantity: '3' } } }))
        }
      >
        Note
      </button>
      <button type="button" onClick={() => set(({ photos }) => ({ photos: [...photos, 'f1'] }))}>
        Photo
      </button>
      <button type="button" onClick={clear}>
        Sent
      </button>
    </>
  )
}

afterEach(() => localStorage.clear())

it('is there again after another screen until it is sent, and is nobody else’s', async () => {
  const first = show(<Noted userId="luis" />)
  await first.user.click(screen.getByRole('button', { name: 'Note' }))
  await first.user.click(screen.getByRole('button', { name: 'Photo' }))
  first.unmount()
  const other = show(<Noted userId="ana" />)
  screen.getByText('null 0')
  other.unmount()
  const back = show(<Noted userId="luis" />)
  screen.getByText('p1 Two beds mulch 1')
  await back.user.click(screen.getByRole('button', { name: 'Sent' }))
  back.unmount()
  show(<Noted userId="luis" />)
  screen.getByText('null 0')
})

it('of an older version keeps the photos that were sent at once', () => {
  const old = { propertyId: 'p1', picked: {}, note: 'Two beds', photoIds: ['f1', 'f2'] }
  localStorage.setItem('swath.draft.crew-quote.luis', JSON.stringify(old))
  show(<Noted userId="luis" />)
  screen.getByText('p1 Two beds 2')
})
