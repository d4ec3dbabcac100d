import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { messageQuery } from './data.ts'
import { LinkedText } from './LinkedText.tsx'
import { MessageFiles } from './MessageFiles.tsx'
import './mailview.css'

/** A mail as its reader sees it. It may not run anything; its links open in a new tab. */
const Html = ({ html, title }: { html: string; title: string }) => {
  const [height, setHeight] = useState(520)
  return (
    <iframe
      className="mail-view__html"
      title={title}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      srcDoc={`<base target="_blank">${html}`}
      style={{ height }}
      onLoad={(event) => {
        const page = event.currentTarget.contentDocument?.documentElement
        if (page) setHeight(Math.min(4000, page.scrollHeight + 4))
      }}
    />
  )
}

/** One mail or text with everything that is in it. */
export const MailView = ({ id }: { id: string }) => {
  const found = useQuery(messageQuery(id))
  const [part, setPart] = useState('html')
  const message = found.data
  if (found.isError && !message)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!message) return <PanelSkeleton />
  return (
    <div className="mail-view">
      {message.sentFrom ? (
        <p className="hint">
          From {message.fromName} &lt;{message.sentFrom}&gt;
        </p>
      ) : null}
      <MessageFiles files={message.attachments} />
      {message.notKept ? <p className="hint">{message.notKept}</p> : null}
      {message.html ? (
        <Tabs
          label="Parts of this mail"
          tabs={[
            { value: 'html', label: 'As they see it' },
            { value: 'text', label: 'As plain text' },
          ]}
          value={part}
          onChange={setPart}
        />
      ) : null}
      {message.html && part === 'html' ? (
        <Html html={message.html} title={message.subject || 'The mail'} />
      ) : (
        <p className="mail-view__text">
          <LinkedText text={message.text} />
        </p>
      )}
    </div>
  )
}
