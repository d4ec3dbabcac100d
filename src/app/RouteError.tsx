import { useState } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { Button } from '../ui/Button.tsx'
import { IconCopy, IconRefresh } from '../ui/icons.ts'
import { ScreenLoadError } from './loading.ts'
import { Notice } from './Notice.tsx'

const reload = () => window.location.reload()

/** What support needs to find the fault: what, where and when. The stack stays in the browser's console. */
const detailsOf = (error: unknown): string => {
  const what = isRouteErrorResponse(error)
    ? `${error.status} ${error.statusText}`
    : error instanceof Error
      ? `${error.name}: ${error.message}`
      : String(error)
  return [
    what,
    `at ${window.location.pathname}${window.location.search}`,
    new Date().toISOString(),
    navigator.userAgent,
  ].join('\n')
}

const Copy = ({ error }: { error: unknown }) => {
  const [done, setDone] = useState(false)
  const copy = () => navigator.clipboard.writeText(detailsOf(error)).then(() => setDone(true))
  return (
    <Button icon={<IconCopy />} onClick={() => void copy()}>
      {done ? 'Copied' : 'Copy details'}
    </Button>
  )
}

/** The default error view: same title as the router's own, without its stack. */
export const RouteError = () => {
  const error = useRouteError()
  if (error instanceof ScreenLoadError)
    return (
      <Notice
        title="A new version is ready"
        action={
          <Button kind="primary" icon={<IconRefresh />} onClick={reload}>
            Reload
          </Button>
        }
      >
        This screen could not be loaded, most likely because Swath was updated. What you saved is safe.
      </Notice>
    )
  return (
    <Notice
      title="Unexpected Application Error!"
      action={
        <>
          <Button kind="primary" icon={<IconRefresh />} onClick={reload}>
            Reload
          </Button>
          <Copy error={error} />
        </>
      }
    >
      This screen stopped working. What you saved is safe; what you were typing may be gone. Reload to go on, and send
      us the details if it happens again.
    </Notice>
  )
}
