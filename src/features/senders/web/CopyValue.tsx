import { Button } from '../../../ui/Button.tsx'
import { copyText } from '../../../ui/copy.ts'
import { IconCopy } from '../../../ui/icons.ts'
import './senders.css'

/** A text that is to be put somewhere else, whole. @param of whose it is, for who hears the button only */
export const CopyValue = ({ label, of, text }: { label: string; of?: string; text: string }) => (
  <div className="copy-value">
    <span className="copy-value__label">{label}</span>
    <code className="copy-value__text">{text}</code>
    <Button size="s" icon={<IconCopy />} onClick={() => void copyText(text)}>
      Copy<span className="ui-hidden"> {of ? `${label.toLowerCase()} of ${of}` : label.toLowerCase()}</span>
    </Button>
  </div>
)
