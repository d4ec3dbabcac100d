import { type InputHTMLAttributes, type ReactNode, type Ref, useState } from 'react'
import { FieldFrame, type FieldProps, useFieldIds } from './FieldFrame.tsx'
import { IconEye, IconEyeOff } from './icons.ts'

type Extra = {
  type?: 'text' | 'email' | 'password' | 'url' | 'search'
  placeholder?: string
  before?: ReactNode
  after?: ReactNode
  maxLength?: number
  readOnly?: boolean
  /** What the button that lets a password be read is called, on a page that speaks another language. */
  showWord?: string
  ref?: Ref<HTMLInputElement>
} & Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'autoComplete' | 'inputMode' | 'onKeyDown' | 'enterKeyHint' | 'spellCheck'
>

/** One line of text. A password can be looked at. */
export const TextField = ({
  value,
  onChange,
  onBlur,
  name,
  disabled,
  autoFocus,
  type = 'text',
  before,
  after,
  ref,
  showWord = 'Show password',
  ...rest
}: FieldProps<string> & Extra) => {
  const { label, error, hint, optional, hideLabel, id, className, ...input } = rest
  const { controlId, aria } = useFieldIds({ id, hint, error })
  const [shown, setShown] = useState(false)
  return (
    <FieldFrame {...{ label, error, hint, optional, hideLabel, className, controlId }}>
      <span className="ui-input">
        {before ? <span className="ui-input__side">{before}</span> : null}
        <input
          {...input}
          {...aria}
          id={controlId}
          ref={ref}
          name={name}
          type={type === 'password' && shown ? 'text' : type}
          value={value ?? ''}
          disabled={disabled}
          // biome-ignore lint/a11y/noAutofocus: only where the caller opened this for typing
          autoFocus={autoFocus}
          // a dialog puts the focus where this stands
          data-autofocus={autoFocus || undefined}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
        {type === 'password' ? (
          <button
            type="button"
            className="ui-input__button"
            aria-label={showWord}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? <IconEyeOff size={18} /> : <IconEye size={18} />}
          </button>
        ) : null}
        {after ? <span className="ui-input__side">{after}</span> : null}
      </span>
    </FieldFrame>
  )
}
