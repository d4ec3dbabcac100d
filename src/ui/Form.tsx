import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form'
import { whenReached } from '#src/shared/reached.ts'
import { applyApiError, type FormProblem } from './applyApiError.ts'
import { Banner } from './Banner.tsx'
import './Form.css'
import { focusUnread } from './useTyped.ts'

type Props<T extends FieldValues, Out> = {
  form: UseFormReturn<T, unknown, Out>
  /** What it throws (an ApiError) is put on the fields or above them; nothing typed is lost. */
  onSubmit: (values: Out) => unknown
  children: ReactNode
  id?: string
  className?: string
  label?: string
}

const focusField = (element: HTMLFormElement | null, name: string) =>
  element?.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus()

/** A form on react-hook-form: server errors reach their fields, the first gets the focus, the rest stand in a banner. */
export const Form = <T extends FieldValues, Out = T>({
  form,
  onSubmit,
  children,
  id,
  className,
  label,
}: Props<T, Out>) => {
  const element = useRef<HTMLFormElement>(null)
  const banner = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState<FormProblem | 'back' | null>(null)
  const unreached = problem !== 'back' && problem?.unreached === true
  useEffect(() => (unreached ? whenReached(() => setProblem('back')) : undefined), [unreached])
  const submit = form.handleSubmit(async (values) => {
    setProblem(null)
    try {
      await onSubmit(values)
    } catch (error) {
      const isOnScreen = (path: string) => element.current?.querySelector(`[name="${CSS.escape(path)}"]`) != null
      const { problem: left, first } = applyApiError<T>(error, form.setError, isOnScreen)
      setProblem(left)
      setTimeout(() => (first ? focusField(element.current, first) : banner.current?.focus()))
    }
  })
  return (
    <FormProvider {...(form as unknown as UseFormReturn<T>)}>
      <form
        ref={element}
        id={id}
        className={`ui-form${className ? ` ${className}` : ''}`}
        aria-label={label}
        noValidate
        onSubmit={(event) => {
          // A form in a dialog must not also send the form behind it: React events climb through portals.
          event.stopPropagation()
          if (!focusUnread(event.currentTarget)) return submit(event)
          event.preventDefault()
        }}
      >
        {problem === 'back' ? (
          <Banner title="Swath can be reached again.">What you typed is still here: try it once more.</Banner>
        ) : problem ? (
          <Banner tone="error" ref={banner} title={problem.message}>
            {problem.others.length ? (
              <ul className="ui-form__others">
                {problem.others.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            ) : null}
            {problem.requestId ? <span className="hint">For support: {problem.requestId}</span> : null}
          </Banner>
        ) : null}
        {children}
      </form>
    </FormProvider>
  )
}
