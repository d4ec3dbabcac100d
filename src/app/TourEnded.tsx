import { useEffect } from 'react'
import { useSession } from '../features/accounts/web/session.ts'
import { brand } from '../shared/brand.ts'
import { paths } from '../shared/paths.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from './Notice.tsx'

const go = (path: string) => () => window.location.assign(path)

/** All that the tour shows once its time is over, or where this server gives none. */
export const TourEnded = ({ notice, tour }: { notice: string; tour?: 'over' | 'none' }) => {
  const session = useSession()
  const isClosed = tour === 'none'
  useEffect(() => {
    document.title = `${isClosed ? 'No tour here' : 'Tour ended'} · ${brand.name}`
  }, [isClosed])
  if (isClosed)
    return (
      <Notice
        title="There is no tour here right now"
        action={
          <>
            <Button kind="primary" onClick={go(paths.register)}>
              Start free trial
            </Button>
            <Button onClick={go(paths.features)}>See what it does</Button>
          </>
        }
      >
        You can start with your own customers, or read what Swath does and look at pictures of it.
      </Notice>
    )
  return (
    <Notice
      title="Your tour has ended"
      action={
        <>
          <Button kind="primary" onClick={() => void session.start()}>
            Start a fresh tour
          </Button>
          <Button onClick={go(paths.register)}>Start free trial</Button>
        </>
      }
    >
      {notice}
    </Notice>
  )
}
