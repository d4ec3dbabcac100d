import { Toaster } from 'react-hot-toast'
import './toast.css'

/** Once per app, at its root. 4 s, success 2 s, at most 20. */
export const ToastHost = ({ bottom = 24 }: { bottom?: number }) => (
  <Toaster
    position="bottom-center"
    containerStyle={{ bottom, zIndex: 400 }}
    toastOptions={{
      className: 'ui-toast',
      duration: 4_000,
      success: { duration: 2_000, iconTheme: { primary: 'var(--blade)', secondary: 'var(--card)' } },
      error: { duration: 4_000, iconTheme: { primary: 'var(--rust)', secondary: 'var(--card)' } },
    }}
  />
)
