import { type ReactNode, useId, useRef, useState } from 'react'
import './FileDrop.css'
import { FieldError } from './FieldFrame.tsx'
import { IconUpload } from './icons.ts'

type Props = {
  label: ReactNode
  hint?: ReactNode
  /** As in an input: ".csv" or "image/*,application/pdf". */
  accept?: string
  multiple?: boolean
  maxBytes?: number
  onFiles: (files: File[]) => void
  error?: string | undefined
  disabled?: boolean
}

const fits = (file: File, accept: string): boolean =>
  accept.split(',').some((raw) => {
    const rule = raw.trim().toLowerCase()
    if (rule.startsWith('.')) return file.name.toLowerCase().endsWith(rule)
    return rule.endsWith('/*') ? file.type.startsWith(rule.slice(0, -1)) : file.type === rule
  })

/** As sizes are promised: what a person is told and what is refused are the same number. */
const megabyte = 1024 * 1024

/** Files dropped, pasted into the picker, or chosen. Wrong kinds and sizes are refused with the reason. */
export const FileDrop = ({ label, hint, accept, multiple, maxBytes, onFiles, error, disabled }: Props) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])].slice(0, multiple ? undefined : 1)
    const wrong = files.find((file) => accept && !fits(file, accept))
    const big = files.find((file) => maxBytes !== undefined && file.size > maxBytes)
    if (wrong) return setRefused(`${wrong.name} is not a kind of file we can read here (${accept}).`)
    if (big && maxBytes)
      return setRefused(
        `${big.name} is ${(big.size / megabyte).toFixed(1)} MB; the most is ${(maxBytes / megabyte).toFixed(0)} MB.`,
      )
    setRefused(null)
    if (files.length) onFiles(files)
  }
  // What was dropped last is what is spoken of, not what the server said of the file before.
  const problem = refused ?? error
  return (
    <div className="ui-field">
      <label
        className={`ui-drop${over ? ' is-over' : ''}`}
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          if (!disabled) take(event.dataTransfer.files)
        }}
      >
        <input
          ref={input}
          id={id}
          className="ui-hidden"
          type="file"
          accept={accept}
          multiple={multiple}
          disabled={disabled}
          aria-describedby={problem ? `${id}-error` : undefined}
          onChange={(event) => {
            take(event.target.files)
            event.target.value = ''
          }}
        />
        <IconUpload size={24} stroke={1.6} aria-hidden="true" />
        <span className="ui-drop__label">{label}</span>
        {hint ? <span className="ui-field__hint">{hint}</span> : null}
      </label>
      {problem ? <FieldError id={`${id}-error`}>{problem}</FieldError> : null}
    </div>
  )
}
