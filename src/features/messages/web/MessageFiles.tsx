import { IconPaperclip } from '../../../ui/icons.ts'
import type { Message } from '../contract.ts'
import './messageFiles.css'

const size = (bytes: number): string =>
  bytes >= 1_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1000))} kB`

/** Files of a message by their names. */
export const MessageFiles = ({ files }: { files: Message['files'] }) =>
  files.length === 0 ? null : (
    <ul className="message-files">
      {files.map((file) => (
        <li key={file.url}>
          <a href={file.url} target="_blank" rel="noreferrer">
            <IconPaperclip size={16} aria-hidden="true" />
            <span>{file.name}</span> <span className="hint num">{size(file.byteCount)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
