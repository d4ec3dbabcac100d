import type { ReactNode } from 'react'
import './Form.css'

/** The row of buttons that ends a form. Primary first for the keyboard, at the right for the eye. */
export const FormActions = ({ children }: { children: ReactNode }) => <div className="ui-form__actions">{children}</div>
