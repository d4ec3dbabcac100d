import { cleanup, configure } from '@testing-library/react'
import toast from 'react-hot-toast'
import { afterEach } from 'vitest'

// a busy machine is no fault: what is waited for ends the wait
configure({ asyncUtilTimeout: 10_000 })
afterEach(() => {
  cleanup()
  // what one test said stands in the next one's corner otherwise: toasts live beside the screens
  toast.remove()
})
