import { type ReactNode, useId } from 'react'
import './FieldFrame.css'
import { IconAlertTriangle } from './icons.ts'
import { useFocusWhenOpened } from './openedField.ts'

/** What every field takes; with `FormField` the value, name, error and ref come from the form. */
export type FieldProps<V> = {
  label: ReactNode
  value: V
  onChange: (value: V) => void
  onBlur?: () => void
  name?: string
  /** What is wrong and how to put it right; read out with the field. */
  error?: string | undefined
  hint?: ReactNode
  /** Says "optional" beside the label; every other field is needed. */
  optional?: boolean
  disabled?: boolean
  hideLabel?: boolean
  autoFocus?: boolean
  id?: string
  className?: string
}

type FrameIn = Pick<FieldProps<unknown>, 'id' | 'hint' | 'error'>

/** The ids that tie a control to its hint and its error. */
export const useFieldIds = ({ id, hint, error }: FrameIn) => {
  const made = useId()
  const controlId = id ?? made
  const describedBy = [hint ? `${controlId}-hint` : '', error ? `${controlId}-error` : ''].filter(Boolean).join(' ')
  return {
    controlId,
    aria: { 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? (true as const) : undefined },
  }
}

export const FieldError = ({ id, children }: { id: string; children: ReactNode }) => (
  <span className="ui-field__error" id={id}>
    <IconAlertTriangle size={15} aria-hidden="true" />
    <span>{children}</span>
  </span>
)

type Props = Pick<FieldProps<unknown>, 'label' | 'hint' | 'error' | 'optional' | 'hideLabel' | 'className'> & {
  controlId: string
  children: ReactNode
  labelId?: string
}

export const FieldFrame = ({ label, hint, error, optional, hideLabel, className, controlId, children }: Props) => {
  useFocusWhenOpened(controlId)
  return (
    <div className={`ui-field${error ? ' is-wrong' : ''}${className ? ` ${className}` : ''}`}>
      <label className={hideLabel ? 'ui-hidden' : 'ui-field__label'} htmlFor={controlId}>
        {label}
        {optional ? <span className="ui-field__optional">optional</span> : null}
      </label>
      {children}
      {error ? <FieldError id={`${controlId}-error`}>{error}</FieldError> : null}
      {hint ? (
        <span className="ui-field__hint" id={`${controlId}-hint`}>
          {hint}
        </span>
      ) : null}
    </div>
  )
}
